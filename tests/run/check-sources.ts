import { root } from "../kit/root.ts";

const bun = process.execPath;
/** Format, lint and types. */
const checks: [name: string, ...words: string[]][] = [
  ["format", bun, "fmt", "--check"],
  ["lint", "npx", "--no-install", "oxlint", "--type-aware", "--deny-warnings"],
  ["types", bun, "check"],
  ["types of the API page", bun, "check", "-p", "src/web/api-page/browser"],
  ["types of the site", bun, "check", "-p", "src/web/site/browser"],
  ["types of the studio", bun, "check", "-p", "studio"],
  ["types of the client", bun, "check", "-p", "client"],
];

/** Prints what the checks of the sources find, and returns which have failed. */
export async function checkSources(): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, ...words] of checks) {
    // The types for the linter fit into memory: to collect garbage early is a tenth of its time.
    const env = { ...process.env, GOGC: "400" };
    const child = Bun.spawn(words, { cwd: root, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (code === 0) continue;
    console.error(output + errors);
    failed.push(`${name}: see above`);
  }
  return failed;
}
