// The flat tree: light children, shadow children, slotted children. Closed roots
// are handed in by the host, which alone can reach them.
const closedRoots = new WeakMap();
const lookedInto = new WeakMap();
const hostable = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));

let anyClosed = false;
const rootOf = (el) => el.shadowRoot || (anyClosed && closedRoots.get(el)) || null;

function childNodesOf(node) {
  const root = rootOf(node);
  if (root) return Array.from(root.childNodes);
  if (node.localName === "slot") {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return Array.from(node.childNodes);
}

function parentOf(node) {
  const parent = node.parentNode;
  if (parent !== null && parent.nodeType === 1 && rootOf(parent) === null) return parent;
  if (node.assignedSlot) return node.assignedSlot;
  const slot = slotFor(node);
  if (slot) return slot;
  return parent instanceof ShadowRoot ? parent.host : parent;
}

// slotFor finds the slot of a child of a host whose root is closed; assignedSlot hides it.
function slotFor(node) {
  const root = node.parentNode && closedRoots.get(node.parentNode);
  if (!root) return null;
  for (const slot of root.querySelectorAll("slot")) if (slot.assignedNodes().includes(node)) return slot;
  return null;
}

function contains(el, node) {
  for (let p = node; p; p = parentOf(p)) if (p === el) return true;
  return false;
}

// mayHide tells whether el could be the host of a closed root not yet known:
// a custom element, or an empty box of a kind that can have a root.
function mayHide(el, tag) {
  const custom = tag.includes("-");
  if (!custom && (el.firstChild !== null || !hostable.has(tag))) return false;
  const seen = lookedInto.get(el);
  const state = custom ? el.matches(":defined") : el.offsetHeight > 0;
  if (!state || seen === state) return false;
  lookedInto.set(el, state);
  return true;
}

function queryAll(selector, root, all, out = []) {
  for (const el of root.querySelectorAll(selector)) {
    out.push(el);
    if (!all) return out;
  }
  for (const el of root.querySelectorAll("*")) {
    const inner = rootOf(el);
    if (inner) queryAll(selector, inner, all, out);
    if (!all && out.length) return out;
  }
  return out;
}

const queryFirst = (selector, root = document) => queryAll(selector, root, false)[0] || null;
