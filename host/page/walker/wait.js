// Waiting inside the page: one call, no polling from outside. A mutation observer
// wakes it; what no mutation tells (styles, values) is looked at every 100 ms.
function state(args) {
  if (args.text !== undefined) return textShown(args.text) ? "visible" : "detached";
  const el = args.n ? nodeOf(args.n) : queryFirst(args.selector);
  if (!el) return "detached";
  return el.checkVisibility({ visibilityProperty: true }) && boxesOf(el).length ? "visible" : "hidden";
}

function textShown(text) {
  const wanted = squeeze(text).toLowerCase();
  const body = document.body;
  if (!body) return false;
  if (squeeze(body.innerText).toLowerCase().includes(wanted)) return true;
  for (const el of document.querySelectorAll("*")) {
    const root = rootOf(el);
    if (root && Array.from(root.children).some((c) => squeeze(c.innerText || "").toLowerCase().includes(wanted))) return true;
  }
  return false;
}

function meets(args) {
  const now = state(args);
  const el = args.n ? nodeOf(args.n) : args.selector ? queryFirst(args.selector) : null;
  switch (args.state) {
    case "attached":
      return now !== "detached";
    case "detached":
      return now === "detached";
    case "hidden":
      return now !== "visible";
    case "enabled":
      return now === "visible" && !disabled(el);
    case "disabled":
      return now === "visible" && disabled(el);
  }
  return now === "visible";
}

// waitFor answers {met} when the state holds, or when args.ms are over.
function waitFor(args) {
  try {
    if (args.selector) document.querySelector(args.selector);
  } catch (e) {
    return { why: "selector", message: e.message };
  }
  if (meets(args)) return { met: true, ...seen(args) };
  return new Promise((done) => {
    const end = performance.now() + args.ms;
    let due = 0;
    const look = () => {
      due = 0;
      if (meets(args)) finish({ met: true, ...seen(args) });
      else if (performance.now() >= end) finish({ met: false, now: state(args) });
    };
    const observer = new MutationObserver(() => {
      if (!due) due = setTimeout(look, 10);
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const timer = setInterval(look, 100);
    stops.set(args.id, () => finish({ met: false, stopped: true }));
    function finish(result) {
      observer.disconnect();
      clearInterval(timer);
      clearTimeout(due);
      stops.delete(args.id);
      done(result);
    }
  });
}

const stops = new Map();

// stop ends a waitFor that nobody waits for any more.
function stop(args) {
  stops.get(args.id)?.();
  return {};
}

function seen(args) {
  const el = args.n ? nodeOf(args.n) : args.selector ? queryFirst(args.selector) : null;
  if (!el) return {};
  roleCache = new Map();
  styleCache = new Map();
  return { n: numberOf(el), role: roleOf(el) || "", name: clip(nameOf(el), 120) };
}
