// Runs on other engines only with TEST_LONG: what is stored of a source is tried on them by other imports.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import { findForCheck, findProgram, needs } from "../../../tests/kit/optional.ts";
import { root } from "../../../tests/kit/root.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const scratch = useScratch();
const server = useServer();
const { guest, admin } = server.people();

const importLines = (lines: string, ...more: string[]) => runBeside(server, ["import", "-", ...more], lines);
const postsOf = async (who: typeof admin, query = "") => (await who.get(`/api/v1/blog?cursor=${query}`)).body as any[];

function run(command: string[]): string {
  const { stdout, stderr } = Bun.spawnSync(command);
  expect(stderr.toString()).toBe("");
  return stdout.toString();
}

test("the converter of the document reads a folder of texts; what it leaves out has a line, and a second run adds nothing", async () => {
  const [, code = ""] =
    /^```js\n([^]*?)^```/m.exec(readFileSync(join(root, "docs/build/import-format.md"), "utf8")) ?? [];
  const folder = newDirectory(scratch);
  const program = join(folder, "texts.mjs");
  writeFileSync(program, code);
  const texts = join(folder, "texts");
  mkdirSync(texts);
  for (const [name, text] of [
    ["a.txt", "A title\n\nAnd a text."],
    ["b.txt", "Only a title"],
    ["c.doc", "x"],
  ] as const)
    writeFileSync(join(texts, name), text);
  const lines = run([process.execPath, program, texts]);
  const { code: ended, stdout, stderr } = await importLines(lines);
  expect([ended, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n").slice(1, 3)).toEqual([
    'Note: "c.doc": It is not a text.',
    expect.stringMatching(/: 2 added \(0\.0 MB\), 0 known already, 0 changed, 0 refused, 1 note\.$/),
  ]);
  expect((await importLines(lines)).stdout).toContain(": 0 added (0.0 MB), 2 known already");
  expect((await importLines(lines.replace('{"kind":"end"}\n', ""))).stderr).toContain("ended without its last line");
});

needs("python3", findProgram("python3") !== null).test(
  "the converter of bookmarks brings posts with their pictures, which are private unless the importer says otherwise",
  async () => {
    const folder = newDirectory(scratch);
    mkdirSync(join(folder, "pictures"));
    writeFileSync(join(folder, "pictures/har bour (1).jpg"), await bytesOf(plain(30, 20, "red").jpeg()));
    const table = join(folder, "bookmarks.csv");
    const rows = [
      "url,title,note,tags,added,picture",
      'https://example.org/a,A harbour,"With a note, and a comma",sea travel,2020-01-02,pictures/har bour (1).jpg',
      "https://example.org/b,,,,,",
      "javascript:alert(1),Bad,,,,",
    ];
    writeFileSync(table, `${rows.join("\n")}\n`);
    const python = findForCheck("python3") ?? "";
    const lines = run([python, join(root, "deploy/examples/bookmarks.py"), table]);
    const tried = await importLines(lines, "--files", folder, "--dry-run");
    expect(tried.stdout).toContain("Nothing was written. An import would have: 3 added");
    const { code, stdout, stderr } = await importLines(lines, "--files", folder);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      expect.stringContaining("Taken for what calls itself bookmarks, with 4 entries."),
      'Not imported: "Bad": It has no address.',
      expect.stringContaining("3 added"),
    ]);
    const post = (await postsOf(admin, "&visibility=all")).find(({ title }) => title === "A harbour");
    expect(post).toMatchObject({
      tags: ["sea", "travel"],
      publishedAt: "2020-01-02T00:00:00.000Z",
      visibility: "private",
    });
    expect(post.content).toMatch(/^<https:\/\/example\.org\/a>\n\nWith a note, and a comma\n\n!\[\[photo:\d+\]\]$/);
    expect(post.coverID).toBeNumber();
    expect((await postsOf(guest)).map(({ title }) => title)).not.toContain("A harbour");
  },
);

test("lines that say they are public are private unless the command says otherwise", async () => {
  const post = (key: string) => ({
    kind: "post",
    key,
    title: key,
    content: "Text",
    publishedAt: 1,
    visibility: "public",
  });
  const linesOf = (key: string) =>
    [{ kind: "source", version: 1, program: "x", name: key }, post(key), { kind: "end" }]
      .map((line) => JSON.stringify(line))
      .join("\n");
  await importLines(linesOf("hidden"));
  await importLines(linesOf("shown"), "--visibility", "public");
  const titles = new Set((await postsOf(guest)).map(({ title }) => title));
  expect([titles.has("hidden"), titles.has("shown")]).toEqual([false, true]);
});
