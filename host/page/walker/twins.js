// Twins are elements with the same role and name; each is told from the others
// by the row, item or group around it that holds none of them.
const groupRoles = new Set(["group", "radiogroup", "fieldset"]);

// groupTwins names the elements and brings twins together, in reading order.
function groupTwins(found) {
  const groups = new Map();
  for (const f of found) {
    if (f.role === "heading" || f.role === "iframe") continue;
    f.name = nameFor(f.el, f.role);
    const key = f.role + "\n" + f.name;
    f.group = groups.get(key);
    if (!f.group) groups.set(key, (f.group = []));
    f.at = f.group.push(f) - 1;
  }
}

// placeTwins gives the elements shown a context, and a number where the context
// is not enough to tell twins apart.
function placeTwins(shown, flat) {
  const labels = new Map();
  const groups = new Set();
  for (const f of shown) {
    if (!f.group) continue;
    if (f.group.length > 1) groups.add(f.group);
    else if (/^(radio|checkbox)$/.test(f.role)) f.context = fieldGroup(f.el);
  }
  for (const group of groups) {
    const placed = new Map();
    let alike = false;
    const place = (f) => {
      f.context = contextOf(f, labels, flat);
      const same = placed.get(f.context);
      if (same) alike = Boolean(same.push(f));
      else placed.set(f.context, [f]);
      if (!f.context) alike = true;
    };
    for (const f of group) if (f.shown) place(f);
    if (!alike) continue;
    for (const f of group) if (!f.shown) place(f);
    for (const same of placed.values()) if (same.length > 1) same.forEach((f, i) => (f.order = i + 1 + " of " + same.length));
  }
}

// contextOf describes the largest box around f that holds neither the twin before
// it nor the one after it, and so no twin at all.
function contextOf(f, labels, flat) {
  const twins = [f.group[f.at - 1], f.group[f.at + 1]].filter(Boolean);
  const holds = flat ? (p) => twins.some((t) => contains(p, t.el)) : (p) => twins.some((t) => p.contains(t.el));
  let box = null;
  for (let p = parentOf(f.el); p && p.nodeType === 1 && !holds(p); p = parentOf(p)) box = p;
  return (box && labelOfBox(box, f.el, labels)) || fieldGroup(f.el);
}

function labelOfBox(box, el, labels) {
  let label = labels.get(box);
  if (label !== undefined) return label;
  const row = box.localName === "tr" || box.getAttribute("role") === "row";
  const kind = row ? "row" : box.localName === "li" || box.getAttribute("role") === "listitem" ? "item" : "group";
  let text = box.getAttribute("aria-label") || "";
  if (!text) {
    const head = box.querySelector("h1,h2,h3,h4,h5,h6,[role=heading],legend,th,caption");
    if (head && !contains(el, head)) text = head.textContent;
  }
  if (!text.trim()) text = firstText(box, el);
  text = squeeze(text);
  label = text ? kind + ": " + clip(text, 60) : "";
  labels.set(box, label);
  return label;
}

// firstText is the first text in box that belongs to no control.
function firstText(box, el) {
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
    if (node === el || /^(button|select|textarea|script|style|option)$/.test(node.localName)) return NodeFilter.FILTER_REJECT;
    return NodeFilter.FILTER_SKIP;
  });
  return texts.nextNode()?.data || "";
}

function fieldGroup(el) {
  for (let p = parentOf(el); p && p.nodeType === 1; p = parentOf(p)) {
    if (p.localName !== "fieldset" && !groupRoles.has(p.getAttribute("role"))) continue;
    const name = nameOf(p);
    if (name) return "group: " + clip(name, 60);
  }
  return "";
}
