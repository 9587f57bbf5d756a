// Accessible names. The library computes them; here is what it lacks (text
// fields are also named by their placeholder) and a short way for plain text.
accname.hooks.children = childNodesOf;
accname.hooks.role = roleOf;
accname.hooks.text = (node) => (node.parentElement ? transformed(node.data, styleOf(node.parentElement).textTransform) : node.data);

// transformed is text as it is shown, which is how Blink names by it.
function transformed(text, how) {
  switch (how) {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize":
      return text.replace(/(^|\s)(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
  }
  return text;
}

let styleCache = new Map();
let pseudoText = false;

const clip = (s, max) => (s.length > max ? s.slice(0, max - 1) + "…" : s);
const squeeze = (s) => (/[^\S ]|  /.test(s) ? s.replace(/\s+/g, " ") : s).trim();

function styleOf(el, pseudo) {
  if (pseudo) return getComputedStyle(el, pseudo);
  if (el.localName === "br" || el.localName === "wbr") return breaks;
  let style = styleCache.get(el);
  if (!style) styleCache.set(el, (style = getComputedStyle(el)));
  return style;
}

// breaks makes the library set a space for a line break.
const breaks = { getPropertyValue: (name) => (name === "display" ? "block" : "") };

const contentRoles = new Set("button link checkbox radio switch option menuitem menuitemcheckbox menuitemradio tab treeitem heading cell gridcell columnheader rowheader row tooltip".split(" "));
const fieldRoles = new Set("textbox searchbox combobox spinbutton date time datetime".split(" "));

function nameOf(el) {
  const quick = quickName(el);
  if (quick !== null) return quick;
  const options = { getComputedStyle: styleOf, computedStyleSupportsPseudoElements: pseudoText };
  let name = squeeze(accname.computeAccessibleName(el, options));
  if (!name || (name === el.title && el.placeholder && !el.hasAttribute("aria-label"))) name = fallbackName(el) || name;
  return name;
}

// quickName names an element by its text when nothing else could: no naming
// attribute, and only text inside.
function quickName(el) {
  if (el.hasAttribute("aria-labelledby")) return null;
  const said = el.getAttribute("aria-label");
  if (said !== null && said.trim()) return squeeze(said);
  if (pseudoText || rootOf(el) !== null) return null;
  const tag = el.localName;
  if (tag === "input" || tag === "select" || tag === "textarea") return quickLabel(el);
  if (!contentRoles.has(roleOf(el)) || (el.labels && el.labels.length)) return null;
  return plainText(el, null) || null;
}

// quickLabel names a field by its only label, when that holds text alone.
function quickLabel(el) {
  if (/^(button|submit|reset|image)$/.test(el.type)) return null;
  const labels = el.labels;
  if (labels === null || labels.length !== 1 || labels[0].hasAttribute("aria-label") || labels[0].hasAttribute("aria-labelledby")) return null;
  if (!labels[0].checkVisibility(visible)) return null;
  return plainText(labels[0], el) || null;
}

// plainText is the text in el when it holds nothing else, but for one element; else null.
function plainText(el, but) {
  let text = "";
  for (let c = el.firstChild; c !== null; c = c.nextSibling) {
    if (c.nodeType === 3) text += c.data;
    else if (c.nodeType === 1 && c !== but) return null;
  }
  return squeeze(transformed(text, styleOf(el).textTransform));
}

function fallbackName(el) {
  const placeholder = el.placeholder || el.getAttribute("aria-placeholder");
  if (placeholder && fieldRoles.has(roleOf(el))) return squeeze(el.title || placeholder);
  if (el.title) return squeeze(el.title);
  if (el.localName === "summary") return squeeze(el.textContent) || "Details";
  return "";
}

// scanPseudoText tells whether any readable style sheet puts text before or
// after elements; an unreadable one is taken to do so only in fonts for icons.
const scanned = new WeakMap();
function scanPseudoText(roots) {
  const has = (sheet) => {
    let rules;
    try {
      rules = sheet.cssRules;
    } catch {
      return false;
    }
    const known = scanned.get(sheet);
    if (known && known.length === rules.length) return known.found;
    const found = /::?(before|after)[^{]*\{[^}]*content:\s*["'][^"']/.test(Array.from(rules, (r) => r.cssText).join("\n"));
    scanned.set(sheet, { length: rules.length, found });
    return found;
  };
  for (const root of roots) {
    for (const sheet of root.styleSheets) if (has(sheet)) return true;
    for (const sheet of root.adoptedStyleSheets) if (has(sheet)) return true;
  }
  return false;
}
