// Runs the official conformance suite's scenarios that any server must pass.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { serve } from "./host.mjs";

const scenarios = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
const suite = fileURLToPath(new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url));

const host = await serve();
let failed = 0;
try {
  for (const scenario of scenarios) {
    const run = spawnSync(process.execPath, [suite, "server", "--url", host.url, "--scenario", scenario], { encoding: "utf8", timeout: 60_000 });
    console.log(`${run.status === 0 ? "ok  " : "FAIL"} conformance ${scenario}`);
    if (run.status !== 0) {
      failed++;
      console.log(run.stdout, run.stderr);
    }
  }
} finally {
  await host.close();
}
process.exit(failed ? 1 : 0);
