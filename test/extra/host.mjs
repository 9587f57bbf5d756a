// Starts bin/cdphost serve, or another program that serves MCP, on a free port and
// says where it listens.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const binary = fileURLToPath(new URL("../../bin/cdphost", import.meta.url));

export async function serve(program = binary, args = ["serve", "--listen", "127.0.0.1:0"]) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const log = [];
  const url = await new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill("SIGTERM");
      reject(new Error(`the host did not say where it listens:\n${log.join("\n")}`));
    }, 30_000);
    createInterface({ input: child.stderr }).on("line", (line) => log.push(line));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const endpoint = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(line);
      if (!endpoint) return;
      clearTimeout(late);
      resolve(endpoint[0]);
    });
    ended.then((code) => reject(new Error(`the host ended with ${code}:\n${log.join("\n")}`)));
  });
  return {
    url,
    async close() {
      child.kill("SIGTERM");
      const code = await ended;
      if (code !== 0) throw new Error(`the host ended with ${code}:\n${log.join("\n")}`);
    },
  };
}
