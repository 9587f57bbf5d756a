// MCP Inspector's command line lists the tools and calls one, over stdio and HTTP.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { binary, serve } from "./host.mjs";

const inspector = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "cdphost-inspector-"));

// inspect runs the command line once and returns what it printed as JSON.
function inspect(target, ...args) {
  const child = spawn(process.execPath, [inspector, "--cli", ...target, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HOME: home, MCP_CATALOG_PATH: join(home, "mcp.json") },
    timeout: 60_000,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`mcp-inspector ended with ${code}:\n${out}\n${err}`))));
  });
}

async function look(carrier, target) {
  const { tools } = await inspect(target, "--method", "tools/list");
  const names = tools.map((tool) => tool.name);
  for (const name of ["browser", "browser_navigate", "browser_dialog"]) assert.ok(names.includes(name), `${name} is offered`);
  const opened = await inspect(target, "--method", "tools/call", "--tool-name", "browser_navigate",
    "--tool-arg", "url=data:text/html,<title>seen</title>", "--tool-arg", "task_id=inspector");
  assert.equal(opened.structuredContent.title, "seen");
  assert.equal(opened.structuredContent.task_id, "inspector");
  console.log(`ok   inspector over ${carrier}`);
}

try {
  await look("stdio", [binary, "mcp"]);
  const host = await serve();
  try {
    await look("http", [host.url]);
  } finally {
    await host.close();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
