// The entry: the host calls by name. doc names this document; a call meant for
// another document is not carried out.
const doc = Array.from(crypto.getRandomValues(new Uint8Array(9)), (b) => b.toString(36).padStart(2, "0")).join("");

// learnRoot takes a closed root; it tells whether it was not known yet.
function learnRoot(host, root) {
  if (closedRoots.get(host) === root) return false;
  closedRoots.set(host, root);
  return (anyClosed = true);
}

function owner(el) {
  return numberOf(el);
}

function view() {
  return { width: innerWidth, height: innerHeight, scale: devicePixelRatio, page_width: document.documentElement.scrollWidth, page_height: document.documentElement.scrollHeight, x: scrollX, y: scrollY };
}

function rects(args) {
  return args.numbers.map((n) => {
    const el = nodeOf(n);
    return el && el.checkVisibility({ visibilityProperty: true }) ? rectOf(el) : null;
  });
}

const about = () => ({ doc, url: location.href, title: document.title });

const methods = { walk, ready, reveal, pointed, fill, holds, submit, waitFor, stop, scroll, read, view, rects, about, census: () => census() };

function call(name, wanted, args) {
  if (wanted && wanted !== doc) return { other_document: true, doc };
  return methods[name](args);
}

return { call, learnRoot, owner, node: nodeOf, doc };
