import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { openForBackup } from "../../src/engines.ts";
import { writeExport } from "../../src/features/exports/export.ts";
import { openFolderTarget } from "../../src/features/exports/write-folder.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { hashOf } from "../../src/platform/hash.ts";
import { filesBelow } from "../kit/backup-kit.ts";
import type { Client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { signedIn } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { runBeside, serverConfig, startServer, type TestServer } from "../kit/server.ts";
import { fillSite } from "../kit/whole-site.ts";

const scratch = useScratch();
const out = join(scratch, "out");
const read = (path: string) => readFileSync(join(out, path), "utf8");
const records = (file: string): any[] =>
  read(`data/${file}.jsonl`)
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const inode = (root: string, path: string) => statSync(join(root, path)).ino;

let server: TestServer;
let ada: Client;
let link: string;
beforeAll(async () => {
  server = await startServer();
  ({ link } = await fillSite(server));
  ada = await signedIn(server, "ada");
});
afterAll(() => server.close());

async function exportTo(...words: string[]): Promise<void> {
  const { code, stderr } = await runBeside(server, ["export", ...words]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/ were exported to /) as string]);
}

const ferry = "files/2026/Lisboa/ferry%3A 9%3F.jpg";

describe("an export", () => {
  test("is readable by people: files as they were, texts with links that lead somewhere, sidecars", async () => {
    await exportTo(out);
    const lines = read("SHA256SUMS").trim().split("\n");
    const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    const paths = filesBelow(out).map((path) => relative(out, path));
    expect(paths.toSorted()).toEqual([...sums.keys(), "SHA256SUMS", "vitrine-export.json"].toSorted());
    for (const [path, sum] of sums)
      expect([path, await hashOf(Bun.file(join(out, path)).stream())]).toEqual([path, sum]);
    for (const { path, isDirectory } of records("files")) {
      const { mode } = statSync(join(out, path));
      expect([path, mode & 0o777]).toEqual([path, isDirectory ? 0o700 : 0o600]);
    }

    const texts = paths.filter((path) => path.endsWith(".md"));
    expect(texts.length).toBe(8);
    for (const path of texts) {
      const [, matter = "", body = ""] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(read(path)) ?? [];
      expect(Bun.YAML.parse(matter)).toMatchObject({ title: expect.any(String), params: { id: expect.any(Number) } });
      for (const [, target = ""] of body.matchAll(/\]\(([^)]*)\)/g))
        expect([target, existsSync(join(out, dirname(path), decodeURIComponent(target)))]).toEqual([target, true]);
    }
    const tide = read("posts/tide-at-nine/index.md");
    expect(tide).toContain("![A ferry](../../files/2026/Lisboa/ferry%253A%209%253F.jpg)");
    expect(tide).toContain("```\n![[photo:1]]\n```");
    expect(Bun.YAML.parse(tide.split("---\n")[1] ?? "")).toMatchObject({
      title: 'Tide: "nine"',
      draft: false,
      aliases: ["/blog/tide", "/blog/tide-nine"],
      tags: ["Sea"],
      description: "About tides.\nTwo lines.",
      params: { author: "ada", cover: "../../files/2026/Lisboa/IMG_2198.png" },
    });
    expect(read("albums/1-ete-a-lisboa/index.md")).toMatch(/IMG_2198[\s\S]*secret[\s\S]*A ferry/);

    const { rdf } = readSidecar(`${ferry}.xmp`);
    expect(rdf).toContain("Ferry &lt;&amp; tide&gt;");
    expect(rdf).toContain("<rdf:li>Été</rdf:li>");
    expect(rdf).toContain("<exif:GPSLatitude>51,30.000000N</exif:GPSLatitude>");
    expect(rdf).toContain("<xmp:Rating>5</xmp:Rating>");
    // The owner's own file has the usual name.
    expect(read("files/2026/Lisboa/IMG_2198.png.xmp")).toBe("<mine/>");
    expect(readSidecar("files/2026/Lisboa/IMG_2198.png.vitrine.xmp").rdf).toContain("38,42.426000S");
    expect(records("photos")[1]).toMatchObject({ sidecarPath: "files/2026/Lisboa/IMG_2198.png.vitrine.xmp" });
    const odd = records("files").filter(({ path }) => path.startsWith("files/odd%3A names/"));
    expect(Object.fromEntries(odd.map(({ name, path }) => [name, path.split("/").at(-1)]))).toEqual({
      "con.txt": "%63on.txt",
      "end.": "end%2E",
      "100%41.txt": "100%2541.txt",
      "._hidden": "%2E_hidden",
    });
  });

  function readSidecar(path: string) {
    const text = read(path);
    expect(Bun.XML.parse(text)).toBeTruthy();
    return { rdf: text };
  }

  test("has everything but secrets", async () => {
    await exportTo(out);
    const whole = filesBelow(out)
      .map((path) => readFileSync(path, "latin1"))
      .join("\n");
    for (const secret of ["$argon2", link, ada.token ?? ""]) expect(whole).not.toContain(secret);
    expect(records("shares").map(({ hasPassword }) => hasPassword)).toEqual([false, true]);
    const { records: counts, isComplete, missing } = JSON.parse(read("vitrine-export.json"));
    expect([isComplete, missing]).toEqual([true, []]);
    // What `fillSite` makes nothing of is not tested by the round trip either.
    const empty = Object.keys(counts).filter((file) => counts[file] === 0);
    expect(empty).toEqual(["duplicates", "webhooks"]);
  });

  test("into the same folder writes what has changed, and with --since links to what has not", async () => {
    const before = inode(out, ferry);
    writeFileSync(join(out, "files/2026/my own notes.txt"), "mine");
    writeFileSync(join(out, "files/notes.txt"), "changed here");
    const { body: added } = await ada.upload("new.png", png(5, 5), { path: "/new" });
    const gone = records("files").find(({ name }) => name === "con.txt");
    await ada.delete(`/api/v1/files/${gone.id}`);
    await exportTo(out);
    expect(inode(out, ferry)).toBe(before);
    expect(existsSync(join(out, gone.path))).toBeFalse();
    expect([read("files/notes.txt"), read("files/2026/my own notes.txt")]).toEqual(["new", "mine"]);
    expect(existsSync(join(out, "files/new/new.png"))).toBeTrue();

    const linked = join(scratch, "linked");
    await exportTo(linked, "--since", out);
    expect(inode(linked, ferry)).toBe(before);
    expect(inode(linked, "README.txt")).not.toBe(inode(out, "README.txt"));
    await ada.delete(`/api/v1/files/${added.id}`);
  });

  test("that was interrupted says so, and continues", async () => {
    const site = await openForBackup(await serverConfig(server), schemaOf(modules));
    const to = join(scratch, "half");
    const controller = new AbortController();
    const openBlob: typeof site.openBlob = (sha256) => (controller.abort(), site.openBlob(sha256));
    const half = { ...site, openBlob };
    const options = { owner: null, workDirectory: scratch, say: () => {} };
    const write = (signal: AbortSignal) =>
      writeExport(half, (moment) => openFolderTarget(half, { to, since: null }, moment), { ...options, signal });
    const refusal = await write(controller.signal).catch((error: Error) => error.message);
    expect(refusal).toContain("The export was interrupted, and is not complete");
    const index = () => JSON.parse(readFileSync(join(to, "vitrine-export.json"), "utf8"));
    expect(index()).toMatchObject({ format: "vitrine-export", isComplete: false });
    const { lost } = await write(new AbortController().signal);
    await site.close();
    expect([index().isComplete, lost]).toEqual([true, []]);
    expect(readdirSync(to).filter((name) => name.startsWith(".") || name.endsWith(".part"))).toEqual([]);
  });

  test("is refused where it could overwrite something else", async () => {
    for (const [to, sentence] of [
      [scratch, "is not an earlier export"],
      [join(server.dataDir, "export"), "is in the data directory"],
    ] as const) {
      const { code, stderr } = await runBeside(server, ["export", to]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence) as string]);
    }
  });
});
