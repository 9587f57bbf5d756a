// Twins are elements with the same role and name; each is told from the others
// by the row, item or group around it that holds none of them.
const groupRoles = new Set(["group", "radiogroup", "fieldset"]);

function describeTwins(found) {
  const groups = new Map();
  for (const f of found) {
    if (f.role === "heading" || f.role === "iframe") continue;
    f.name = nameFor(f.el, f.role);
    const key = f.role + "\n" + f.name;
    const group = groups.get(key);
    if (group) group.push(f);
    else groups.set(key, [f]);
  }
  const labels = new Map();
  for (const group of groups.values()) {
    if (group.length > 1) tellApart(group, labels);
    else if (/^(radio|checkbox)$/.test(group[0].role)) group[0].context = fieldGroup(group[0].el);
  }
}

function tellApart(group, labels) {
  const counts = new Map();
  for (const { el } of group) for (let p = parentOf(el); p && p.nodeType === 1; p = parentOf(p)) counts.set(p, (counts.get(p) || 0) + 1);
  const seen = new Map();
  for (const f of group) {
    let box = null;
    for (let p = parentOf(f.el); p && p.nodeType === 1 && counts.get(p) === 1; p = parentOf(p)) box = p;
    f.context = (box && labelOfBox(box, f.el, labels)) || fieldGroup(f.el);
    const same = seen.get(f.context || "");
    if (same) same.push(f);
    else seen.set(f.context || "", [f]);
  }
  for (const same of seen.values()) if (same.length > 1) same.forEach((f, i) => (f.order = i + 1 + " of " + same.length));
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
