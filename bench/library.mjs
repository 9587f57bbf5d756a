// Drives playwright-core or puppeteer-core for the benchmark: one JSON object a
// line, {id, method, params} in, {id, result} or {id, error} out. It does with each
// library what its documentation tells a user to.
import { createInterface } from "node:readline";

const [which, executablePath, ...args] = process.argv.slice(2);

let browser, page;
let dialog = null; // the open one, held until it is answered
let automatic = false;
let opened = () => {};

function onDialog(d) {
  if (automatic) return d.accept();
  dialog = d;
  opened();
}

// unlessDialog ends with an error as soon as a dialog opens: whoever awaits an
// action has to, or waits for the dialog's answer.
function unlessDialog(action) {
  const dialogOpened = new Promise((_, reject) => {
    opened = () => reject(new Error(`a dialog opened: ${dialog.message()}`));
  });
  action.catch(() => {});
  return Promise.race([action, dialogOpened]);
}

const playwright = {
  async start() {
    const { chromium } = await import("playwright-core");
    browser = await chromium.launch({ executablePath, args });
    page = await (await browser.newContext()).newPage();
    page.on("dialog", onDialog);
    page.context().on("page", (p) => p.on("dialog", onDialog));
  },
  navigate: ({ url }) => page.goto(url),
  evaluate: ({ expression }) => page.evaluate(expression),
  frame: ({ expression }) => page.frames()[1].evaluate(expression),
  click: () => page.click("#b"),
  hover: () => page.hover("#b"),
  press_key: () => page.keyboard.press("a"),
  snapshot: () => page.locator("body").ariaSnapshot(),
  async another({ url }) {
    await (await (await browser.newContext()).newPage()).goto(url);
  },
};

const puppeteer = {
  async start() {
    const { launch } = await import("puppeteer-core");
    browser = await launch({ executablePath, args, handleSIGINT: false });
    page = await (await browser.createBrowserContext()).newPage();
    page.on("dialog", onDialog);
    page.on("popup", (p) => p.on("dialog", onDialog));
  },
  navigate: ({ url }) => page.goto(url),
  evaluate: ({ expression }) => page.evaluate(expression),
  frame: ({ expression }) => page.frames()[1].evaluate(expression),
  click: () => page.click("#b"),
  hover: () => page.hover("#b"),
  press_key: () => page.keyboard.press("a"),
  async snapshot() {
    return JSON.stringify(await page.accessibility.snapshot({ includeIframes: true }));
  },
  async another({ url }) {
    await (await (await browser.createBrowserContext()).newPage()).goto(url);
  },
};

const library = { playwright, puppeteer }[which];

async function call(method, params) {
  switch (method) {
    case "accept": {
      const d = dialog;
      dialog = null;
      return d.accept();
    }
    case "policy":
      automatic = true;
      return "";
    case "snapshot":
      if (dialog) return `a dialog is open: ${dialog.message()}`;
  }
  const result = await unlessDialog(Promise.resolve(library[method](params ?? {})));
  return typeof result === "object" ? "" : String(result ?? "");
}

const input = createInterface({ input: process.stdin });
input.on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  let reply = { id };
  try {
    reply.result = await call(method, params);
  } catch (e) {
    reply.error = String(e.message ?? e);
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
});
input.on("close", async () => {
  await browser?.close().catch(() => {});
  process.exit(0);
});
