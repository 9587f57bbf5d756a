// Runs the scenarios of the official conformance suite: all that apply against the
// fixture, which serves the suite's own tools through the host's server package,
// and those that need no tools of the suite's against the host itself.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./host.mjs";

// What the host does not do. A scenario that is not named here has to pass.
const notOffered = {
  "completion-complete": "no prompt or resource has arguments to complete",
  "tools-call-audio": "no tool makes sound",
  "tools-call-embedded-resource": "big results are links to resources",
  "tools-call-mixed-content": "it embeds a resource",
  "tools-call-with-logging": "MCP logging is deprecated; the log is on stderr, spans go to OpenTelemetry",
  "tools-call-sampling": "sampling is deprecated; the host has a model of its own",
  "tools-call-elicitation": "users are asked about dialogs only, with a form of the host's; server tests cover it",
  "elicitation-sep1034-defaults": "likewise",
  "elicitation-sep1330-enums": "likewise",
  "resources-read-text": "the only resources are artifacts of tasks; server tests cover them",
  "resources-read-binary": "likewise",
  "resources-templates-read": "likewise",
  "resources-subscribe": "artifacts never change",
  "resources-unsubscribe": "likewise",
  "prompts-get-embedded-resource": "prompts are text",
  "prompts-get-with-image": "likewise",
};
const ofAnyServer = [
  "server-initialize", "logging-set-level", "ping", "tools-list", "resources-list", "prompts-list",
  "server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection",
];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const suite = here("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const work = mkdtempSync(join(tmpdir(), "cdphost-conformance-"));
let failed = 0;

function run(...args) {
  const child = spawn(process.execPath, [suite, ...args], { cwd: work, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

async function check(name, url, scenarios) {
  for (const scenario of scenarios) {
    const { code, output } = await run("server", "--url", url, "--scenario", scenario);
    console.log(`${code === 0 ? "ok  " : "FAIL"} conformance of the ${name}: ${scenario}`);
    if (code !== 0) {
      failed++;
      console.log(output);
    }
  }
}

async function serverScenarios() {
  const { output } = await run("list");
  const listed = output.split("Client scenarios")[0].matchAll(/^ {2}- (\S+)/gm);
  const names = [...listed].map((match) => match[1]);
  if (names.length < Object.keys(notOffered).length) throw new Error(`the suite lists no scenarios:\n${output}`);
  return names;
}

try {
  const fixture = join(work, process.platform === "win32" ? "fixture.exe" : "fixture");
  const build = spawnSync("go", ["build", "-o", fixture, "./fixture"], { cwd: here("."), encoding: "utf8" });
  if (build.status !== 0) throw new Error(`the fixture does not build: ${build.error ?? build.stderr}`);
  const scenarios = await serverScenarios();
  for (const [who, program, args, which] of [
    ["fixture", fixture, [], scenarios.filter((scenario) => !(scenario in notOffered))],
    ["host", undefined, undefined, ofAnyServer],
  ]) {
    const server = await serve(program, args);
    try {
      await check(who, server.url, which);
    } finally {
      await server.close();
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
