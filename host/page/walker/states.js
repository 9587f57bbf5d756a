// What an element is and holds besides its name.
function disabled(el) {
  if (el.matches(":disabled")) return true;
  for (let p = el; p && p.nodeType === 1; p = parentOf(p)) if (p.getAttribute("aria-disabled") === "true") return true;
  return false;
}

function editable(el) {
  if (el.localName === "textarea" || (el.localName === "input" && !/^(button|submit|reset|image|checkbox|radio|hidden|file)$/.test(el.type))) return true;
  return el.isContentEditable;
}

const ariaFlag = (el, name) => el.getAttribute("aria-" + name);

// off and active are what the walk knows: el stands in something disabled, and
// the element that has the focus.
function statesOf(el, role, off, active) {
  const out = [];
  if (off || el.matches(":disabled")) out.push("disabled");
  const tag = el.localName;
  if (tag === "a" && !el.hasAttribute("role") && !el.hasAttribute("aria-current")) {
    if (el === active) out.push("focused");
    return out;
  }
  if (tag === "input" && (el.type === "checkbox" || el.type === "radio")) {
    if (el.indeterminate && el.type === "checkbox") out.push("mixed");
    else if (el.checked) out.push("checked");
  } else {
    const checked = ariaFlag(el, "checked");
    if (checked === "true") out.push("checked");
    else if (checked === "mixed") out.push("mixed");
  }
  const expanded = tag === "summary" && el.parentElement.localName === "details" ? String(el.parentElement.open) : ariaFlag(el, "expanded");
  if (expanded === "true") out.push("expanded");
  else if (expanded === "false") out.push("collapsed");
  const pressed = ariaFlag(el, "pressed");
  if (pressed === "true") out.push("pressed");
  else if (pressed === "mixed") out.push("pressed: mixed");
  if (ariaFlag(el, "selected") === "true" || (role === "option" && el.selected)) out.push("selected");
  const current = ariaFlag(el, "current");
  if (current && current !== "false") out.push("current");
  if (el.required || ariaFlag(el, "required") === "true") out.push("required");
  if ((el.readOnly && editable(el)) || ariaFlag(el, "readonly") === "true") out.push("readonly");
  if (ariaFlag(el, "invalid") === "true" || (el.willValidate && el.value && !el.validity.valid)) out.push("invalid");
  if (el === active) out.push("focused");
  return out;
}

function focused() {
  let el = document.activeElement;
  for (let root = el && rootOf(el); root && root.activeElement; root = el && rootOf(el)) el = root.activeElement;
  return el === document.body ? null : el;
}

// valueOf returns what a field holds, null when el is no field.
function valueOf(el, role) {
  switch (el.localName) {
    case "input":
      if (/^(button|submit|reset|image|checkbox|radio)$/.test(el.type)) return null;
      if (el.type === "password") return el.value ? "••••" : "";
      if (el.type === "file") return Array.from(el.files, (f) => f.name).join(", ");
      return el.value;
    case "textarea":
      return el.value;
    case "select":
      return Array.from(el.selectedOptions, (o) => squeeze(o.label || o.text)).join(", ");
  }
  if (el.isContentEditable) return squeeze(el.textContent);
  if (role === "slider" || role === "spinbutton") return el.getAttribute("aria-valuetext") || el.getAttribute("aria-valuenow");
  return null;
}

function optionsOf(el) {
  if (el.localName !== "select") return null;
  return Array.from(el.options, (o) => squeeze(o.label || o.text)).filter((t) => t);
}
