// Roles as ARIA in HTML gives them; the two places where Blink differs follow Blink.
const ariaRoles = new Set(
  ("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary " +
    "contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img image " +
    "insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter " +
    "navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search " +
    "searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox " +
    "time timer toolbar tooltip tree treegrid treeitem").split(" "),
);
const interactiveRoles = new Set(
  ("button link textbox searchbox checkbox radio combobox listbox option menuitem menuitemcheckbox menuitemradio tab switch slider " +
    "spinbutton treeitem date time datetime color file").split(" "),
);
const inputRoles = { date: "date", month: "date", week: "date", time: "time", "datetime-local": "datetime", color: "color", file: "file", password: "textbox" };

let roleCache = new Map();

function roleOf(el) {
  let role = roleCache.get(el);
  if (role === undefined) roleCache.set(el, (role = computeRole(el)));
  return role;
}

function computeRole(el) {
  const explicit = el.getAttribute("role");
  if (explicit !== null) {
    for (const token of explicit.trim().toLowerCase().split(/\s+/)) {
      if (!ariaRoles.has(token)) continue;
      if ((token === "none" || token === "presentation") && (focusable(el) || globalAria(el))) break;
      return token;
    }
  }
  return implicitRole(el);
}

function implicitRole(el) {
  switch (el.localName) {
    case "input":
      if (inputRoles[el.type]) return inputRoles[el.type];
      if (el.type === "checkbox" && el.hasAttribute("switch")) return "switch";
      if (el.type === "hidden") return null;
      return baseRole(el) || "textbox";
    case "a":
      return el.hasAttribute("href") || (el.href && el.href.baseVal !== undefined) ? "link" : null;
    case "td":
    case "th": {
      const table = el.closest("table");
      const grid = table && /^(grid|treegrid)$/.test(table.getAttribute("role") || "");
      if (el.localName === "td") return grid ? "gridcell" : "cell";
      if (el.scope === "row" || el.scope === "rowgroup") return "rowheader";
      return "columnheader";
    }
    case "summary":
      return el.parentElement && el.parentElement.localName === "details" ? "button" : null;
    case "img":
      return el.getAttribute("alt") === "" && !globalAria(el) && !el.title ? "none" : "img";
    case "option":
      return "option";
  }
  return baseRole(el);
}

// baseRole asks the library without the attribute that was judged above.
function baseRole(el) {
  if (!el.hasAttribute("role")) return accname.getRole(el);
  const copy = el.cloneNode(false);
  copy.removeAttribute("role");
  return accname.getRole(copy);
}

const globalAria = (el) =>
  ["aria-label", "aria-labelledby", "aria-describedby", "aria-controls", "aria-live", "aria-owns", "aria-atomic", "aria-busy", "aria-current", "aria-details", "aria-flowto", "aria-keyshortcuts", "aria-relevant", "aria-roledescription"].some((a) =>
    el.hasAttribute(a),
  );

function focusable(el) {
  if (el.hasAttribute("tabindex")) return !Number.isNaN(parseInt(el.getAttribute("tabindex"), 10));
  switch (el.localName) {
    case "a":
    case "area":
      return el.hasAttribute("href");
    case "input":
      return el.type !== "hidden" && !el.disabled;
    case "button":
    case "select":
    case "textarea":
      return !el.disabled;
    case "iframe":
    case "summary":
      return true;
  }
  return editableHost(el);
}

const editableHost = (el) => el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable);
