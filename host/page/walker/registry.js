// Node numbers: what a uid stands for inside this document. A number is given
// once, to one node, and is never given again while the document lives.
const numbers = new WeakMap();
const nodes = new Map();
let lastNumber = 0;
const forget = new FinalizationRegistry((n) => nodes.delete(n));

function numberOf(el) {
  let n = numbers.get(el);
  if (n === undefined) {
    n = ++lastNumber;
    numbers.set(el, n);
    nodes.set(n, new WeakRef(el));
    forget.register(el, n);
  }
  return n;
}

// nodeOf returns the connected node with number n, or null.
function nodeOf(n) {
  const el = nodes.get(n)?.deref();
  return el && el.isConnected ? el : null;
}
