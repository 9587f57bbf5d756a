// The walk: every visible interactive element of this document in reading order.
const skipped = new Set("script style noscript template head meta link title base option optgroup datalist source track param".split(" "));
const pointable = new Set("div span li td tr img svg p h1 h2 h3 h4 h5 h6 section article i b label ul figure canvas dd dt em strong small".split(" "));

function walk(args) {
  roleCache = new Map();
  styleCache = new Map();
  const start = args.selector ? queryFirst(args.selector) : args.n ? nodeOf(args.n) : document.body || document.documentElement;
  if (!start) return { missing: true };
  const out = { items: [], suspects: [] };
  const roots = [document];
  const found = [];
  pseudoText = scanPseudoText(roots);
  visit(start, false, false);
  describeTwins(found);
  for (const f of found) out.items.push(itemOf(f));
  out.doc = doc;
  out.url = location.href;
  out.origin = location.origin === "null" ? self.origin : location.origin;
  out.title = document.title;
  if (out.suspects.length) heldSuspects = out.suspects;
  out.suspects = out.suspects.length;
  roleCache = new Map();
  styleCache = new Map();
  return out;

  function visit(el, inside, pointing) {
    if (skipped.has(el.localName) || el.getAttribute("aria-hidden") === "true" || el.inert) return;
    const shown = el.checkVisibility({ visibilityProperty: true });
    if (!shown && !el.checkVisibility() && el.localName !== "slot" && getComputedStyle(el).display !== "contents") return;
    const tag = el.localName;
    if (tag === "iframe" || tag === "frame" || tag === "fencedframe") {
      if (shown) found.push({ el, role: "iframe" });
      return;
    }
    const role = roleOf(el);
    let taken = inside;
    if (shown) {
      const control = interactiveRoles.has(role) || editableHost(el);
      const extra = !control && !inside && (el.hasAttribute("onclick") || (el.hasAttribute("tabindex") && el.tabIndex >= 0 && !scrolls(el)));
      let points = pointing;
      if (!control && !extra && !inside && pointable.has(tag)) {
        points = styleOf(el).cursor === "pointer";
        if (points && !pointing && drawn(el) && !labelOfControl(el) && !holdsControl(el)) {
          found.push({ el, role: "clickable" });
          taken = true;
        }
      } else if (control && drawn(el)) {
        found.push({ el, role: role && interactiveRoles.has(role) ? role : "textbox" });
        taken = true;
      } else if (extra && drawn(el)) {
        found.push({ el, role: role && role !== "generic" && role !== "none" ? role : "clickable" });
        taken = true;
      } else if (role === "heading" && !inside) {
        found.push({ el, role: "heading" });
      }
      pointing = points;
      if (mayHide(el)) out.suspects.push(el);
    }
    const root = rootOf(el);
    if (root) {
      if (!roots.includes(root)) {
        roots.push(root);
        if (!pseudoText) pseudoText = scanPseudoText([root]);
      }
      for (let c = root.firstElementChild; c; c = c.nextElementSibling) visit(c, taken, pointing);
      return;
    }
    if (tag === "slot") {
      const assigned = el.assignedElements();
      if (assigned.length) {
        for (const c of assigned) visit(c, taken, pointing);
        return;
      }
    }
    for (let c = el.firstElementChild; c; c = c.nextElementSibling) visit(c, taken, pointing);
  }
}

// drawn tells whether el takes up room somewhere a reader could scroll to.
function drawn(el) {
  let r = el.getBoundingClientRect();
  if (r.width === 0 || r.height === 0) {
    const child = el.firstElementChild;
    if (!child) return false;
    r = child.getBoundingClientRect();
    if (r.width === 0 || r.height === 0) return false;
  }
  return r.right + scrollX > 0 && r.bottom + scrollY > 0;
}

const scrolls = (el) => el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(styleOf(el).overflowY);
const labelOfControl = (el) => el.localName === "label" && el.control !== null;
const holdsControl = (el) => el.querySelector("a[href],button,input:not([type=hidden]),select,textarea") !== null;

function itemOf({ el, role, name, context, order }) {
  if (role === "iframe") return { n: numberOf(el), role, name: nameOf(el) };
  if (role === "heading") return { role, name: clip(nameOf(el), 100), level: Number(el.getAttribute("aria-level")) || Number(el.localName[1]) || 2 };
  const item = { n: numberOf(el), role, name: clip(name, 120) };
  const states = statesOf(el, role);
  if (states.length) item.states = states;
  const value = valueOf(el, role);
  if (value !== null && value !== "") item.value = clip(value, 120);
  const options = optionsOf(el);
  if (options) item.options = options.slice(0, 20).map((o) => clip(o, 40));
  if (options && options.length > 20) item.more_options = options.length - 20;
  if (role === "link") item.href = hrefOf(el);
  if (context) item.context = context;
  if (order) item.order = order;
  return item;
}

function nameFor(el, role) {
  const name = nameOf(el);
  if (name || interactiveRoles.has(role)) return name;
  return squeeze(el.innerText || el.textContent || el.id || "");
}

function hrefOf(el) {
  let href = typeof el.href === "string" ? el.href : el.getAttribute("href") || "";
  if (href.startsWith(location.origin + "/")) href = href.slice(location.origin.length);
  return clip(href, 80);
}
