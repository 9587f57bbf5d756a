// Accessible names. The library computes them; here is what it lacks (text
// fields are also named by their placeholder) and a short way for plain text.
accname.hooks.children = childNodesOf;
accname.hooks.role = roleOf;

let styleCache = new Map();
let pseudoText = false;

const clip = (s, max) => (s.length > max ? s.slice(0, max - 1) + "…" : s);
const squeeze = (s) => s.replace(/\s+/g, " ").trim();

function styleOf(el, pseudo) {
  if (pseudo) return getComputedStyle(el, pseudo);
  let style = styleCache.get(el);
  if (!style) styleCache.set(el, (style = getComputedStyle(el)));
  return style;
}

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
  if (pseudoText || el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby")) return null;
  const tag = el.localName;
  if (tag === "input" || tag === "select" || tag === "textarea" || rootOf(el)) return null;
  if (!contentRoles.has(roleOf(el)) || (el.labels && el.labels.length)) return null;
  let text = "";
  for (let c = el.firstChild; c; c = c.nextSibling) {
    if (c.nodeType === Node.TEXT_NODE) text += c.data;
    else if (c.nodeType !== Node.COMMENT_NODE) return null;
  }
  text = squeeze(text);
  return text || (el.hasAttribute("title") ? null : "");
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
