// The flat tree: light children, shadow children, slotted children. Closed roots
// are handed in by the host, which alone can reach them.
const closedRoots = new WeakMap();
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

// census counts what is in this document and the shadow roots that are known: its
// elements, and the texts that hold a "<".
function census(root = document, out = { elements: 0, texts: 0 }) {
  for (const el of root.querySelectorAll("*")) {
    out.elements++;
    const inner = rootOf(el);
    if (inner) census(inner, out);
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_CDATA_SECTION);
  while (texts.nextNode()) if (texts.currentNode.data.includes("<")) out.texts++;
  return out;
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
