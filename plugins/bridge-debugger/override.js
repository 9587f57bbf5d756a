(() => {
  "use strict";
  const hold = window["{{token}}"];
  delete window["{{token}}"];
  const apply = Reflect.apply;
  const stringify = JSON.stringify;
  const slice = String.prototype.slice;
  const now = performance.now.bind(performance);
  // As many characters as the browser's own dialogs take.
  const longest = 10240;
  // A pause takes longer than this many milliseconds, two statements in a row
  // do not.
  const instant = 0.5;

  // While a document is being left, the debugger does not pause and a native
  // dialog would hang the page.
  let leaving = false;
  addEventListener("pagehide", () => { leaving = true; }, true);
  addEventListener("pageshow", () => { leaving = false; }, true);

  // ask returns what the agent said; undefined when the connection was lost
  // meanwhile, in which case the page gets what a dismissed dialog gives; and
  // "native" when nobody pauses the page, or the bridge lets it go.
  const ask = (type, message, standard) => {
    const dialog = stringify({ type, message: apply(slice, message, [0, longest]), standard });
    const start = now();
    const answer = apply(hold, dialog, []);
    if (answer !== undefined) return answer;
    if (leaving || now() - start > instant) return { accept: false };
    return "native";
  };

  // Only alert takes an explicit undefined for a text.
  const given = (args, i, loose) => args.length > i && (loose || args[i] !== undefined);

  // A proxy keeps the name, the length and the text of the native function.
  const override = (name, result) => {
    const native = window[name];
    window[name] = new Proxy(native, {
      apply(target, self, args) {
        const message = given(args, 0, name === "alert") ? `${args[0]}` : "";
        const standard = name === "prompt" && given(args, 1, false) ? `${args[1]}` : "";
        const answer = ask(name, message, standard);
        return answer === "native" ? apply(target, self, args) : result(answer);
      },
    });
  };
  override("alert", () => undefined);
  override("confirm", (a) => a.accept);
  override("prompt", (a) => (a.accept ? a.text : null));
})();
