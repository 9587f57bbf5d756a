// Scrolling a page or a container, at once, without animation. A page is given
// time to draw before and after, so that what it does when something comes into
// view or leaves it happens as it does for a person.
function scrollerOf(el) {
  for (let p = el; p && p.nodeType === 1; p = parentOf(p)) {
    const s = getComputedStyle(p);
    const vertical = p.scrollHeight > p.clientHeight + 1 && /auto|scroll|overlay/.test(s.overflowY);
    const horizontal = p.scrollWidth > p.clientWidth + 1 && /auto|scroll|overlay/.test(s.overflowX);
    if (p !== document.body && p !== document.documentElement && (vertical || horizontal)) return p;
  }
  return document.scrollingElement || document.documentElement;
}

// mainScroller is the page itself, or the largest container when the page can't scroll.
function mainScroller() {
  const page = document.scrollingElement || document.documentElement;
  if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) return page;
  const at = deepest(innerWidth / 2, innerHeight / 2);
  return at ? scrollerOf(at) : page;
}

async function scroll(args) {
  const el = args.n ? nodeOf(args.n) : null;
  if (args.n && !el) return { why: "removed" };
  await frames(2);
  const moves = args.dx || args.dy || args.pages || args.to;
  if (el && !moves) {
    el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    await frames(2);
    return place(scrollerOf(el));
  }
  const box = el ? scrollerOf(el) : mainScroller();
  const page = box === (document.scrollingElement || document.documentElement);
  const before = { x: box.scrollLeft, y: box.scrollTop };
  const height = page ? innerHeight : box.clientHeight;
  let top = box.scrollTop + (args.dy || 0) + (args.pages || 0) * height * 0.9;
  let left = box.scrollLeft + (args.dx || 0);
  if (args.to === "top") top = 0;
  if (args.to === "bottom") top = box.scrollHeight;
  if (args.to === "left") left = 0;
  if (args.to === "right") left = box.scrollWidth;
  box.scrollTo({ top, left, behavior: "instant" });
  await frames(2);
  return { ...place(box), moved: { dx: Math.round(box.scrollLeft - before.x), dy: Math.round(box.scrollTop - before.y) } };
}

function place(box) {
  const page = box === (document.scrollingElement || document.documentElement);
  const height = page ? innerHeight : box.clientHeight;
  return {
    x: Math.round(box.scrollLeft),
    y: Math.round(box.scrollTop),
    height: box.scrollHeight,
    at_top: box.scrollTop <= 1,
    at_bottom: box.scrollTop + height >= box.scrollHeight - 2,
    container: page ? "" : describe(box),
  };
}
