(() => {
  "use strict";
  const token = "{{token}}";
  const address = "https://hermes-dialog-bridge.invalid/dialog";
  // Everything that is used later is taken now, before the page can replace it.
  const apply = Reflect.apply;
  const { stringify, parse } = JSON;
  const slice = String.prototype.slice;
  const Request = XMLHttpRequest;
  const { open, send } = Request.prototype;
  const get = (name) => Object.getOwnPropertyDescriptor(Request.prototype, name).get;
  const status = get("status");
  const body = get("responseText");
  // As many characters as the browser's own dialogs take.
  const longest = 10240;

  // ask returns what the agent said, or undefined when the host can't be
  // reached: the request is blocked by the page's policy, nobody intercepts it,
  // or the connection broke.
  const ask = (type, message, standard) => {
    const dialog = stringify({ token, type, message: apply(slice, message, [0, longest]), standard });
    try {
      const request = new Request();
      apply(open, request, ["POST", address, false]);
      apply(send, request, [dialog]);
      if (apply(status, request, []) !== 200) return undefined;
      const answer = parse(apply(body, request, []));
      return answer.token === token ? answer : undefined;
    } catch {
      return undefined;
    }
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
        return answer === undefined ? apply(target, self, args) : result(answer);
      },
    });
  };
  override("alert", () => undefined);
  override("confirm", (a) => a.accept);
  override("prompt", (a) => (a.accept ? a.text : null));
})();
