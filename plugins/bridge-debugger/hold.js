"use strict";
// The pause of this function is the dialog. Its "this" is a string that says
// which, so that the pause's event carries it. Nothing of the page's is called
// from here: a stack trace would give the script's name away.
Object.defineProperty(window, "{{token}}", {
  configurable: true,
  value: function cdphostDialog() {
    const box = {};
    debugger;
    return box.answer;
  },
});
//# sourceURL=cdphost-dialog-bridge-{{token}}
