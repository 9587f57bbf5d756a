// Bundles dom-accessibility-api into ../accname.js, one classic script that
// defines the constant `accname`. The library sees neither shadow trees, nor a
// cache, nor what style sheets make of text; the patches below give it these
// through `hooks`, and leave out the space that it sets around generated text.
// Each patch must match exactly once, so that an update of the library that moves
// the code fails here.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";

const patches = {
  "util.mjs": [
    [
      "export function hasAnyConcreteRoles(node, roles) {",
      "export const hooks = { children: null, role: null, text: null };\nexport function hasAnyConcreteRoles(node, roles) {",
    ],
    ["return roles.indexOf(getRole(node)) !== -1;", "return roles.indexOf((hooks.role || getRole)(node)) !== -1;"],
  ],
  "accessible-name-and-description.mjs": [
    ['import { hasAnyConcreteRoles,', 'import { hooks, hasAnyConcreteRoles,'],
    [
      'ArrayFrom(node.childNodes).concat(queryIdRefs(node, "aria-owns"))',
      '(hooks.children ? hooks.children(node) : ArrayFrom(node.childNodes)).concat(queryIdRefs(node, "aria-owns"))',
    ],
    ['"".concat(beforeContent, " ").concat(accumulatedText)', '"".concat(beforeContent).concat(accumulatedText)'],
    ['"".concat(accumulatedText, " ").concat(afterContent)', '"".concat(accumulatedText).concat(afterContent)'],
    ['return current.textContent || "";', 'return (hooks.text ? hooks.text(current) : current.textContent) || "";'],
  ],
};

const patch = {
  name: "patch",
  setup(b) {
    b.onLoad({ filter: /dom-accessibility-api[\\/]dist[\\/].*\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, "utf8");
      for (const [from, to] of patches[path.split(/[\\/]/).pop()] ?? []) {
        if (contents.split(from).length !== 2) throw new Error(`${path}: patch does not match once: ${from}`);
        contents = contents.replace(from, () => to);
      }
      return { contents, loader: "js" };
    });
  },
};

await build({
  entryPoints: ["entry.mjs"],
  outfile: "../accname.js",
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "accname",
  target: "chrome110",
  legalComments: "none",
  plugins: [patch],
  banner: {
    js: "/* dom-accessibility-api 0.7.1, MIT, Copyright (c) 2020 Sebastian Silbermann; see accname.LICENSE. Made by build/build.mjs, do not edit. */",
  },
});
