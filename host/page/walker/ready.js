// Getting an element ready for an action: found, shown, enabled, still, in view, reachable.
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const nextFrame = () => Promise.race([new Promise((done) => requestAnimationFrame(done)), sleep(50)]);

// patience is how long, in ms, an element may stay covered: longer than what fades
// or slides away by itself.
const patience = 1500;

function target(args) {
  if (args.n) {
    const el = nodeOf(args.n);
    return el ? { el } : { why: "removed" };
  }
  let el;
  try {
    el = queryFirst(args.selector);
  } catch (e) {
    return { why: "selector", message: e.message };
  }
  return el ? { el } : { why: "not_found" };
}

// ready waits at most args.ms for el to be fit for args.need, a list of
// "shown", "enabled", "editable" and "point". It answers {n, ...} or {why}.
async function ready(args) {
  const start = performance.now();
  const end = start + args.ms;
  const coverEnd = start + Math.min(args.ms, patience);
  let scrolled = false;
  for (;;) {
    const got = target(args);
    if (got.why === "removed" || got.why === "selector") return got;
    let why = got.why;
    if (!why) {
      const el = got.el;
      why = await obstacle(el, args.need);
      if (!why) {
        const out = { n: numberOf(el), ...facts(el) };
        if (!args.need.includes("point")) return out;
        if (!scrolled || !inView(el)) {
          scrolled = true;
          if (bringIntoView(el)) await nextFrame();
        }
        if (await moving(el)) continue;
        const point = pointOn(el);
        if (point && !point.cover) return { ...out, ...point };
        if (performance.now() + 30 > coverEnd) return point ? { ...out, why: "obscured", cover: point.cover } : { ...out, why: "outside" };
      } else if (performance.now() + 30 > end) {
        return { why, n: numberOf(el), ...facts(el) };
      }
    } else if (performance.now() + 30 > end) {
      return { why };
    }
    await sleep(30);
  }
}

function facts(el) {
  roleCache = new Map();
  styleCache = new Map();
  const link = el.closest("a[href]");
  return {
    tag: el.localName,
    type: el.localName === "input" ? el.type : "",
    role: roleOf(el) || "",
    name: clip(nameOf(el), 120),
    editable: editable(el),
    rich: el.isContentEditable,
    multiple: Boolean(el.multiple),
    opens: Boolean(link && link.target === "_blank"),
    leaves: Boolean(link && !link.hash && link.target !== "_blank") || Boolean(el.closest("button:not([type=button]),input[type=submit],input[type=image]")?.form),
  };
}

async function obstacle(el, need) {
  if (need.includes("shown") && !(el.checkVisibility({ visibilityProperty: true }) && boxesOf(el).length)) return "hidden";
  if (need.includes("enabled") && disabled(el)) return "disabled";
  if (need.includes("editable") && (el.readOnly || el.getAttribute("aria-readonly") === "true")) return "readonly";
  return "";
}

function inView(el) {
  const boxes = boxesOf(el);
  return boxes.some((r) => {
    const x = r.left + r.width / 2;
    const y = r.top + r.height / 2;
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && reaches(el, deepest(x, y));
  });
}

// bringIntoView scrolls only when el's center can't be hit; it tells whether it did.
function bringIntoView(el) {
  if (inView(el)) return false;
  el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  return true;
}

// moving waits for the animations that carry el: to their end when that is near,
// else for one step. It tells whether el moved meanwhile.
async function moving(el) {
  const carriers = document.getAnimations().filter((a) => a.playState === "running" && a.effect?.target && contains(a.effect.target, el));
  if (!carriers.length) return false;
  const before = rectOf(el);
  const ends = carriers.filter((a) => Number.isFinite(a.effect.getComputedTiming().endTime));
  if (ends.length) await Promise.race([Promise.allSettled(ends.map((a) => a.finished)), sleep(patience)]);
  else await frames(2);
  const after = rectOf(el);
  return !before || !after || before.x !== after.x || before.y !== after.y || before.width !== after.width;
}

async function frames(n) {
  const drawn = async () => {
    for (let i = 0; i < n; i++) await new Promise((done) => requestAnimationFrame(done));
  };
  await Promise.race([drawn(), sleep(500)]);
}

// reveal maps the point (x, y) of a child frame's viewport to this frame's, with
// the frame scrolled into view if asked, and names what covers it there.
async function reveal(args) {
  const el = nodeOf(args.n);
  if (!el) return { why: "removed" };
  let m = innerOf(el);
  const at = () => ({ x: m.x + args.x * m.sx, y: m.y + args.y * m.sy });
  const out = (p) => p.x < 0 || p.y < 0 || p.x >= innerWidth || p.y >= innerHeight || !reaches(el, deepest(p.x, p.y));
  if (args.scroll && out(at())) {
    el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    m = innerOf(el);
    const p = at();
    if (p.x < 0 || p.y < 0 || p.x >= innerWidth || p.y >= innerHeight) scrollBy({ left: p.x - innerWidth / 2, top: p.y - innerHeight / 2, behavior: "instant" });
    await nextFrame();
    m = innerOf(el);
  }
  const p = at();
  const hit = deepest(p.x, p.y);
  return { x: p.x, y: p.y, cover: reaches(el, hit) ? "" : hit ? describe(hit) : "nothing that can be hit" };
}
