import { join } from "node:path";

/** Returns the text as `npm run fmt` would write it to this path. */
export async function format(path: string, text: string): Promise<string> {
  const command = [process.execPath, "fmt", "--no-script", `--stdin-filepath=${path}`];
  const root = join(import.meta.dir, "..");
  const child = Bun.spawn(command, { cwd: root, stdin: new Blob([text]), stderr: "inherit" });
  const formatted = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${path} could not be formatted.`);
  return formatted;
}
