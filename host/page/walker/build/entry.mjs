// What the walker uses of dom-accessibility-api.
export { computeAccessibleName } from "dom-accessibility-api";
export { default as getRole } from "./node_modules/dom-accessibility-api/dist/getRole.mjs";
export { hooks } from "./node_modules/dom-accessibility-api/dist/util.mjs";
