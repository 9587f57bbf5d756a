// A client of the official TypeScript SDK opens a page that asks, and answers.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { binary, serve } from "./host.mjs";

const page = "data:text/html,<title>asks</title><script>document.title=prompt('Name?','nobody')</script>";

async function meetADialog(carrier, transport) {
  const client = new Client({ name: "cdphost-test-extra", version: "1.0.0" });
  await client.connect(transport);
  const call = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: { task_id: "extra", ...args } });
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.structuredContent ?? result.content)}`);
    return result.structuredContent;
  };
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  for (const name of ["browser_navigate", "browser_snapshot", "browser_dialog", "browser_cdp"]) assert.ok(names.includes(name), `${name} is offered`);

  const opened = await call("browser_navigate", { url: page });
  assert.equal(opened.blocked, true);
  assert.equal(opened.pending_dialogs[0].type, "prompt");
  assert.equal(opened.pending_dialogs[0].message, "Name?");
  await call("browser_dialog", { action: "accept", prompt_text: "Ada" });
  const title = await call("browser_cdp", { method: "Runtime.evaluate", params: { expression: "document.title" } });
  assert.equal(title.result.result.value, "Ada");
  const seen = await call("browser_snapshot");
  assert.deepEqual(seen.pending_dialogs, []);
  assert.equal(seen.recent_dialogs.at(-1).closed_by, "agent");
  await call("browser_disconnect");
  await client.close();
  console.log(`ok   client over ${carrier}`);
}

await meetADialog("stdio", new StdioClientTransport({ command: binary, args: ["mcp"], env: process.env, stderr: "inherit" }));
const host = await serve();
try {
  await meetADialog("http", new StreamableHTTPClientTransport(new URL(host.url)));
} finally {
  await host.close();
}
