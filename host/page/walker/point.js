// Where an element can be hit, and what would be hit there.
function deepest(x, y) {
  let el = document.elementFromPoint(x, y);
  for (let root = el && rootOf(el); root; root = rootOf(el)) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === el || inner.getRootNode() !== root) break;
    el = inner;
  }
  return el;
}

// reaches tells whether a press on hit acts on el: it is el, inside el, or a label of it.
function reaches(el, hit) {
  if (!hit) return false;
  if (contains(el, hit)) return true;
  for (let p = hit; p && p.nodeType === 1; p = parentOf(p)) if (p.localName === "label" && p.control === el) return true;
  return false;
}

// areas are the visible parts of el, largest first, in this frame's viewport.
function areas(el) {
  const out = [];
  for (const r of boxesOf(el)) {
    const left = Math.max(r.left, 0);
    const top = Math.max(r.top, 0);
    const right = Math.min(r.right, innerWidth);
    const bottom = Math.min(r.bottom, innerHeight);
    if (right - left > 0 && bottom - top > 0) out.push({ left, top, width: right - left, height: bottom - top });
  }
  return out.sort((a, b) => b.width * b.height - a.width * a.height);
}

function boxesOf(el) {
  const own = Array.from(el.getClientRects()).filter((r) => r.width > 0 && r.height > 0);
  if (own.length) return own;
  return Array.from(el.children).flatMap((c) => Array.from(c.getClientRects())).filter((r) => r.width > 0 && r.height > 0);
}

// pointOn picks a point where a press reaches el: the center of its largest part,
// then other places. When all are covered it names what covers the center.
function pointOn(el) {
  const parts = areas(el);
  if (!parts.length) return null;
  let first = null;
  for (const part of parts.slice(0, 4)) {
    for (const [fx, fy] of [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
      const x = part.left + part.width * fx;
      const y = part.top + part.height * fy;
      const hit = deepest(x, y);
      if (reaches(el, hit)) return { x, y };
      first = first || { x, y, cover: hit ? describe(hit) : "nothing that can be hit" };
    }
  }
  return first;
}

function describe(el) {
  const role = roleOf(el);
  const name = clip(nameOf(el) || squeeze(el.innerText || ""), 60);
  let tag = "<" + el.localName;
  if (el.id) tag += "#" + el.id;
  else if (el.classList && el.classList.length) tag += "." + el.classList[0];
  tag += ">";
  return (role && role !== "generic" && role !== "none" ? role + " " : "") + tag + (name ? ' "' + name + '"' : "");
}

// rect is el's box in this frame's viewport, for screenshots and labels.
function rectOf(el) {
  const boxes = boxesOf(el);
  if (!boxes.length) return null;
  const left = Math.min(...boxes.map((r) => r.left));
  const top = Math.min(...boxes.map((r) => r.top));
  return { x: left, y: top, width: Math.max(...boxes.map((r) => r.right)) - left, height: Math.max(...boxes.map((r) => r.bottom)) - top };
}

// inner maps this frame's viewport to a child frame's: origin and scale of el's content box.
function innerOf(el) {
  const r = el.getBoundingClientRect();
  const sx = el.offsetWidth ? r.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
  const s = getComputedStyle(el);
  return { x: r.left + (el.clientLeft + parseFloat(s.paddingLeft)) * sx, y: r.top + (el.clientTop + parseFloat(s.paddingTop)) * sy, sx, sy };
}

// moves counts the mouse moves that arrived in this frame, from the first question on.
let moves = -1;

// pointed tells how often the mouse has moved in this frame, and whether it hovers
// over an element, which no script of the page can hide. With args.drawn it first
// waits until the frame was drawn.
async function pointed(args) {
  if (moves < 0) {
    moves = 0;
    addEventListener("mousemove", () => moves++, { capture: true, passive: true });
  }
  if (args.drawn) await frames(2);
  return { moves, hovered: Boolean(nodeOf(args.n)?.matches(":hover")) };
}
