// The page as reading matter: text, and HTML without what is no content.
const dropped = new Set("script style noscript template head link meta nav footer iframe frame object embed canvas svg video audio button input select textarea datalist dialog option".split(" "));
const kept = new Set("href src alt colspan rowspan start".split(" "));

function read(args) {
  const start = args.n ? nodeOf(args.n) : document.body || document.documentElement;
  if (!start) return { missing: true };
  const html = [];
  let length = 0;
  let cut = false;
  const put = (s) => {
    html.push(s);
    length += s.length;
  };
  write(start, args.n ? true : false, false);
  const text = textOf(start, args.max);
  return { html: html.join(""), cut, text: text.slice(0, args.max), text_cut: text.length > args.max };

  function write(node, root, pre) {
    if (cut) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const data = pre ? node.data : node.data.replace(/\s+/g, " ");
      put(data.replace(/&/g, "&amp;").replace(/</g, "&lt;"));
      if (length > args.max * 2) cut = true;
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const tag = node.localName;
    if (!root && (dropped.has(tag) || unread(node))) return;
    const plain = tag.includes("-") || tag === "slot" || tag === "body" || tag === "html";
    if (!plain) {
      put("<" + tag);
      for (const a of node.attributes) {
        if (!kept.has(a.name)) continue;
        const value = a.name === "href" || a.name === "src" ? clip(node[a.name] + "", 500) : a.value;
        put(" " + a.name + '="' + value.replace(/&/g, "&amp;").replace(/"/g, "&quot;") + '"');
      }
      put(">");
    }
    for (const child of childNodesOf(node)) write(child, false, pre || tag === "pre");
    if (!plain && !/^(br|img|hr|wbr|col)$/.test(tag)) put("</" + tag + ">");
  }
}

// textOf is el's innerText, or its beginning: laying out all the text of a long
// page costs more than reading it is worth. More than max characters means cut.
function textOf(el, max) {
  const inside = Array.from(el.childNodes);
  const divisible = el.children.length > 1 && inside.every((n) => n.nodeType === Node.ELEMENT_NODE || !n.data.trim());
  if (!divisible || el.localName === "tr" || el.textContent.length <= 2 * max) return el.innerText || "";
  let text = "";
  for (const child of el.children) {
    if (!child.checkVisibility()) continue;
    const part = textOf(child, max - text.length);
    if (part) text += (text ? "\n" : "") + part;
    if (text.length > max) break;
  }
  return text;
}

// unread tells whether a reader would skip el: navigation, footers, what is
// hidden, and what floats over the page.
function unread(el) {
  const role = el.getAttribute("role");
  if (role && /^(navigation|contentinfo|dialog|alertdialog|search|menu|menubar|toolbar|tablist)$/.test(role)) return true;
  if (el.getAttribute("aria-hidden") === "true" || el.hidden) return true;
  if (!el.checkVisibility({ visibilityProperty: true })) return getComputedStyle(el).display === "none" || !el.firstElementChild;
  if (el.popover !== null && el.matches(":popover-open")) return true;
  if (el.firstElementChild && /^(div|section|aside|header|form)$/.test(el.localName)) {
    const s = getComputedStyle(el);
    if (s.position === "fixed") return true;
  }
  return false;
}
