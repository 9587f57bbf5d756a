// Putting text where real key presses can't (dates, colors, ranges, selects), and
// preparing fields for real ones.
const setters = /^(date|month|week|time|datetime-local|color|range)$/;

function announce(el) {
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
}

// fill focuses the field and does what scripts alone can do. Answer: done with
// the value it has now, or keys: the caller types into the selected old content.
function fill(args) {
  const el = nodeOf(args.n);
  if (!el) return { why: "removed" };
  if (el.localName === "select") return choose(el, args.text);
  if (el.localName === "input" && setters.test(el.type)) return assign(el, args.text);
  el.focus({ preventScroll: false });
  if (focused() !== el && !contains(el, focused() || document)) return { why: "unfocused" };
  if (el.isContentEditable) {
    const range = document.createRange();
    range.selectNodeContents(el);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return { keys: true, empty: el.textContent === "" };
  }
  el.select();
  return { keys: true, empty: el.value === "" };
}

function assign(el, text) {
  el.focus();
  const before = el.value;
  el.value = text.trim();
  if (el.value !== text.trim() && !(el.type === "color" && el.value === text.trim().toLowerCase()) && !(el.type === "range" && Number(el.value) === Number(text))) {
    const now = el.value;
    el.value = before;
    return { why: "malformed", type: el.type, value: now };
  }
  announce(el);
  return { done: true, value: el.value };
}

function choose(el, text) {
  const wanted = el.multiple ? text.split(/\s*[,\n]\s*/) : [text];
  const options = Array.from(el.options);
  const label = (o) => squeeze(o.label || o.text);
  const picks = [];
  for (const want of wanted) {
    const w = squeeze(want);
    const hit =
      options.find((o) => label(o) === w) || options.find((o) => o.value === want) || options.find((o) => label(o).toLowerCase() === w.toLowerCase());
    if (!hit) return { why: "no_option", want, options: options.slice(0, 30).map((o) => clip(label(o), 40)) };
    if (hit.disabled || hit.parentElement.disabled) return { why: "option_disabled", want };
    picks.push(hit);
  }
  el.focus();
  if (el.multiple) for (const o of options) o.selected = picks.includes(o);
  else el.selectedIndex = options.indexOf(picks[0]);
  announce(el);
  return { done: true, value: picks.map(label).join(", ") };
}

// holds returns the value a field has after it was typed into. What the page has
// put off to its next turn, such as drawing the field anew, goes first, so that it
// does not come between the next action and its focus.
async function holds(args) {
  await sleep(0);
  const el = nodeOf(args.n);
  if (!el) return { why: "removed" };
  return { value: valueOf(el, roleOf(el)), focused: focused() === el || contains(el, focused() || document) };
}

// submit submits the form of a field that Enter does not submit.
function submit(args) {
  const el = nodeOf(args.n);
  const form = el && (el.form || el.closest("form"));
  if (!form) return { why: "no_form" };
  setTimeout(() => form.requestSubmit());
  return {};
}
