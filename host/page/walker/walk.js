// The walk: every visible interactive element of this document in reading order.
const skipped = new Set("script style noscript template head meta link title base option optgroup datalist source track param".split(" "));
const pointable = new Set("div span li td tr img svg section article label ul figure canvas i".split(" "));
// roleless are the tags that have no role unless they are given one.
const roleless = new Set("div span p b i em strong small u s br body svg path g label td tr tbody".split(" "));

// marks are the elements of earlier walks, by the name of the walk.
const marks = new Map();
const marksKept = 6;

// walk lists what there is, the first args.max characters of it if that is given.
// args.mark remembers the walk; args.since tells which elements an earlier one had.
function walk(args) {
  roleCache = new Map();
  styleCache = new Map();
  const modals = document.querySelectorAll(":modal");
  const whole = modals[modals.length - 1] || document.body || document.documentElement;
  const start = args.n ? nodeOf(args.n) : whole;
  if (!start) return { missing: true };
  const roots = new Set([document]);
  const found = [];
  pseudoText = scanPseudoText(roots);
  pageX = scrollX;
  pageY = scrollY;
  for (const a of watched) used[a] = false;
  noteUsed(document);
  visit(start, false, false, false);
  groupTwins(found);
  const { items, shown, cut } = itemsOf(found, args.max || Infinity);
  placeTwins(shown, roots.size > 1);
  const old = args.since && marks.get(args.since);
  shown.forEach((f, i) => {
    if (f.context) items[i].context = f.context;
    if (f.order) items[i].order = f.order;
    if (old && f.group && old.has(f.el)) items[i].old = true;
  });
  if (args.mark) mark(args.mark, found);
  roleCache = new Map();
  styleCache = new Map();
  return {
    items, count: found.reduce((n, f) => n + (f.group && !f.lost ? 1 : 0), 0), cut,
    elements: document.getElementsByTagName("*").length, doc, url: location.href, origin: self.origin, title: document.title,
  };

  // add takes el into the list if it can be seen. What is hidden is gone through
  // all the same: a part of it may be shown.
  function add(el, role, off) {
    if (!el.checkVisibility(visible) || !drawn(el)) return false;
    found.push({ el, role, off });
    return true;
  }

  // visit looks at el and what is inside it. inside: in a control; pointing: the
  // parent shows the hand; off: in something disabled.
  function visit(el, inside, pointing, off) {
    const tag = el.localName;
    if (skipped.has(tag)) return;
    const bare = !el.hasAttributes();
    if (!bare) {
      if (used["aria-hidden"] && el.getAttribute("aria-hidden") === "true") return;
      if (used.inert && el.hasAttribute("inert")) return;
      if (used["aria-disabled"] && !off && el.getAttribute("aria-disabled") === "true") off = true;
    }
    if (tag === "iframe" || tag === "frame" || tag === "fencedframe") {
      if (el.checkVisibility(visible)) found.push({ el, role: "iframe" });
      return;
    }
    const root = rootOf(el);
    const role = roleless.has(tag) && (bare || !used.role || !el.hasAttribute("role")) ? null : roleOf(el);
    let taken = false;
    if (role !== null && interactiveRoles.has(role)) {
      taken = add(el, role, off);
    } else if (!bare && used.contenteditable && el.hasAttribute("contenteditable") && editableHost(el)) {
      taken = add(el, "textbox", off);
    } else if (!inside) {
      if (role === "heading") {
        if (el.checkVisibility(visible)) found.push({ el, role });
      } else if (!bare && ((used.onclick && el.hasAttribute("onclick")) || (used.tabindex && el.hasAttribute("tabindex") && el.tabIndex >= 0 && !scrolls(el)))) {
        taken = add(el, role && role !== "generic" && role !== "none" ? role : "clickable", off);
      } else if (pointable.has(tag)) {
        const points = getComputedStyle(el).cursor === "pointer";
        if (points && !pointing && !labelOfControl(el) && !holdsControl(el)) taken = add(el, "clickable", off);
        pointing = points;
      }
    }
    inside = inside || taken;
    if (tag === "svg" && el.querySelector(svgControls) === null) return;
    let children = el;
    if (root !== null) {
      children = root;
      if (!roots.has(root)) {
        roots.add(root);
        noteUsed(root);
        if (!pseudoText) pseudoText = scanPseudoText([root]);
      }
    } else if (tag === "slot") {
      const assigned = el.assignedElements();
      for (const c of assigned) visit(c, inside, pointing, off);
      if (assigned.length) return;
    }
    for (let c = children.firstElementChild; c !== null; c = c.nextElementSibling) visit(c, inside, pointing, off);
  }
}

// used tells which attributes occur in the roots that are walked: asking each
// element for each of them would take longer than all the rest of a visit.
const watched = ["aria-hidden", "inert", "aria-disabled", "role", "contenteditable", "onclick", "tabindex"];
const used = {};
const noteUsed = (root) => watched.forEach((a) => (used[a] ||= root.querySelector("[" + a + "]") !== null));

const visible = { visibilityProperty: true };
const svgControls = "a,[role],[tabindex],[onclick]";

// drawn tells whether el takes up room, itself or by its first child.
function drawn(el) {
  if (el.offsetWidth > 0 && el.offsetHeight > 0) return true;
  let r = el.getBoundingClientRect();
  if (r.width > 0 && r.height > 0) return true;
  const child = el.firstElementChild;
  if (!child) return false;
  r = child.getBoundingClientRect();
  return r.width > 0 && r.height > 0;
}

// reachable tells whether el is somewhere a reader could scroll to.
function reachable(el) {
  let r = el.getBoundingClientRect();
  if ((r.width === 0 || r.height === 0) && el.firstElementChild) r = el.firstElementChild.getBoundingClientRect();
  return r.right + pageX > 0 && r.bottom + pageY > 0;
}

let pageX = 0; // scrollX and scrollY during a walk
let pageY = 0;

const scrolls = (el) => el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(styleOf(el).overflowY);
const labelOfControl = (el) => el.localName === "label" && el.control !== null;
const holdsControl = (el) => el.querySelector("a[href],button,input:not([type=hidden]),select,textarea") !== null;

// itemsOf describes the elements found, up to about max characters.
function itemsOf(found, max) {
  const active = focused();
  const items = [];
  const shown = [];
  let size = 0;
  let cut = false;
  for (const f of found) {
    if (size > max) {
      cut = true;
      break;
    }
    if (f.group && !reachable(f.el)) {
      f.lost = true;
      continue;
    }
    const item = itemOf(f, active);
    f.shown = true;
    items.push(item);
    shown.push(f);
    size += f.role.length + item.name.length + (item.value || "").length + (item.href || "").length + 8;
  }
  return { items, shown, cut };
}

function mark(name, found) {
  marks.set(name, new WeakSet(found.map((f) => f.el)));
  if (marks.size > marksKept) marks.delete(marks.keys().next().value);
}

function itemOf({ el, role, name, off }, active) {
  if (role === "iframe") return { n: numberOf(el), role, name: nameOf(el) };
  if (role === "heading") return { role, name: clip(squeeze(el.getAttribute("aria-label") || el.textContent), 100), level: Number(el.getAttribute("aria-level")) || Number(el.localName[1]) || 2 };
  const item = { n: numberOf(el), role, name: clip(name, 120) };
  const states = statesOf(el, role, off, active);
  if (states.length) item.states = states;
  const value = valueOf(el, role);
  if (value !== null && value !== "") item.value = clip(value, 120);
  const options = optionsOf(el);
  if (options) item.options = options.slice(0, 20).map((o) => clip(o, 40));
  if (options && options.length > 20) item.more_options = options.length - 20;
  if (role === "link") item.href = hrefOf(el);
  return item;
}

function nameFor(el, role) {
  const name = nameOf(el);
  if (name || interactiveRoles.has(role)) return name;
  return squeeze(el.innerText || el.textContent || el.id || "");
}

function hrefOf(el) {
  let href = el.getAttribute("href") || el.getAttribute("xlink:href") || "";
  if (href.startsWith(location.origin + "/")) href = href.slice(location.origin.length);
  return clip(href, 80);
}
