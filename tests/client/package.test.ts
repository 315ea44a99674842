// Runs on the embedded engines only: the client sees only HTTP.
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printContract } from "../../client/contract.ts";
import type { APIDocument } from "../../client/api-document.ts";
import { generate } from "../../client/generate.ts";
import type { createClient } from "../../client/src/index.ts";
import { launchBrowser, openTab, testLongInBrowser } from "../kit/browser.ts";
import { client } from "../kit/client.ts";
import { isLong, testLong } from "../kit/long.ts";
import { password, person } from "../kit/people.ts";
import { root } from "../kit/root.ts";
import { useScratch } from "../kit/scratch.ts";
import { useServer } from "../kit/use-server.ts";
import { failureOf } from "./failure.ts";

const source = fileURLToPath(new URL("../../client/", import.meta.url));
const scratch = useScratch();
const installed = join(scratch, "node_modules/vitrine-client");

let document: APIDocument;

const server = useServer();
beforeAll(async () => {
  const ada = await person(server, "ada");
  await ada.post("/api/v1/directories", { name: "2026" });
  ({ body: document } = await client(server).get("/openapi.json"));
  if (!isLong) return;
  mkdirSync(installed, { recursive: true });
  const packed = await run(["npm", "pack", "--silent", "--pack-destination", scratch], source);
  await run(["tar", "xf", packed.trim(), "--strip-components=1", "-C", installed], scratch);
});

/** Returns what the command prints; throws if it fails. */
async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

test("docs/reference/api.txt is the contract of the API: run `npm run client` otherwise", () => {
  const read = readFileSync(join(root, "docs/reference/api.txt"), "utf8").split("\n");
  expect(printContract(document).split("\n")).toEqual(read);
});

describe("the generated sources", () => {
  test("are up to date: run `npm run build` otherwise", async () => {
    for (const [name, text] of Object.entries(await generate(document))) {
      expect(readFileSync(join(root, "build/client", name), "utf8") === text ? "" : `${name} is out of date`).toBe("");
    }
  });

  test("cannot be made of an operation that uses a name twice", async () => {
    const changed = structuredClone(document);
    changed.paths["/api/v1/albums/{id}"]?.put?.parameters.push({
      name: "name",
      in: "query",
      schema: { type: "string" },
    });
    expect((await failureOf(generate(changed))).message).toContain("changeAlbum has two inputs with the name name");
  });
});

describe("the package", () => {
  const program = [...readFileSync(join(source, "README.md"), "utf8").matchAll(/^```ts\n([^]*?)^```$/gm)]
    .map(([, code]) => code)
    .join("\n");

  testLong("has only what is needed, and no dependencies", async () => {
    const files = [...new Bun.Glob("**/*").scanSync(installed)].toSorted();
    const types = ["dist/api.d.ts", "dist/index.d.ts", "dist/index.js", "dist/types.d.ts"];
    expect(files).toEqual(["LICENSE", "README.md", ...types, "package.json"]);
    expect(Object.keys(await Bun.file(join(installed, "package.json")).json())).not.toContain("dependencies");
  });

  testLong("has the types of its source, and the README has no type errors", async () => {
    const same = `
      import * as source from ${JSON.stringify(`${source}src/index.ts`)};
      import * as packed from "vitrine-client";
      export const one: typeof packed = source;
      export const other: typeof source = packed;`;
    const wrong = `
      import { createClient } from "vitrine-client";
      const vitrine = createClient();
      // @ts-expect-error: the id is required.
      void vitrine.readPhoto();
      // @ts-expect-error: a photo has no such field.
      void vitrine.readPhoto({ id: 7 }).then((photo) => photo.colour);
      // @ts-expect-error: a list has no such filter.
      void vitrine.listPhotos({ colour: "blue" });
      // @ts-expect-error: a read has nothing to compare.
      void vitrine.readPhoto({ id: 7 }, { ifMatch: "x" });`;
    writeFileSync(join(scratch, "same.ts"), same);
    writeFileSync(join(scratch, "wrong.ts"), wrong);
    writeFileSync(join(scratch, "readme.ts"), program);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: "ESNext",
      module: "NodeNext",
      lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      allowImportingTsExtensions: true,
      noEmit: true,
    };
    writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    writeFileSync(join(scratch, "package.json"), JSON.stringify({ type: "module" }));
    await run([process.execPath, "check"], scratch);
  });

  testLong("runs the examples of the README in Node", async () => {
    const code = new Bun.Transpiler({ loader: "ts" }).transformSync(
      program.replaceAll("http://localhost:8080", server.url),
    );
    writeFileSync(join(scratch, "readme.mjs"), code);
    expect(await run(["node", "readme.mjs"], scratch)).toContain("7 of 7 bytes");
    const [album] = (await client(server).get("/api/v1/albums")).body;
    expect(album.name).toBe("Lisboa");
    const [post] = (await client(server).get("/api/v1/blog")).body;
    expect(post.content).toBe("The last one leaves at ten. Be early.");
  });

  testLongInBrowser("runs in a browser, and an upload goes on after a reload of the page", async () => {
    const browser = await launchBrowser();
    try {
      await using tab = await openTab(browser, server.url, { bypassCSP: true });
      const code = readFileSync(join(installed, "dist/index.js"), "utf8");
      await tab.context.route("**/client.js", (route) => route.fulfill({ contentType: "text/javascript", body: code }));
      const page = await tab.open("/livez");
      // A session if the server has them, and a token otherwise.
      const session = "/session" in document.paths;
      const input = { username: "ada", password, session, module: "/client.js" };

      const paused = await page.evaluate(async ({ username, password, session, module }) => {
        const library: { createClient: typeof createClient } = await import(module);
        const vitrine = library.createClient({ session });
        await vitrine.signIn({ username, password });
        const stop = new AbortController();
        const file = new File([new Uint8Array(3 * 2 ** 20)], "browser.bin", { lastModified: 1 });
        const onProgress = ({ sent }: { sent: number }) => sent > 0 && stop.abort("paused");
        const reason = await vitrine.upload(file, { signal: stop.signal, onProgress }).catch((error: unknown) => error);
        return { reason, token: vitrine.token };
      }, input);
      expect([paused.reason, paused.token === null]).toEqual(["paused", session]);

      await page.reload();
      const { token } = paused;
      const finished = await page.evaluate(
        async ({ session, module, token }) => {
          const library: { createClient: typeof createClient } = await import(module);
          const vitrine = library.createClient({ session, token });
          const starts: number[] = [];
          const file = new File([new Uint8Array(3 * 2 ** 20)], "browser.bin", { lastModified: 1 });
          const { size } = await vitrine.upload(file, { onProgress: ({ sent }) => void starts.push(sent) });
          const titles = (await vitrine.listPosts()).items.map(({ title }) => title);
          await vitrine.signOut();
          const status = await vitrine.readMe().catch((error: { status: number }) => error.status);
          return { size, start: starts[0] ?? 0, titles, status };
        },
        { ...input, token },
      );
      expect(finished).toMatchObject({ size: 3 * 2 ** 20, status: 401 });
      expect(finished.start).toBeGreaterThan(0);
      expect(tab.complaints.filter((complaint) => !complaint.includes("401"))).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
