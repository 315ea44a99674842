// Runs on the embedded engines only: what reads a source does not depend on the engines.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipOf } from "../../../tests/bad-sources/write-archives.ts";
import { admin } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { startServer } from "../../../tests/kit/server.ts";
import { type FakeResponse, startFake } from "../../../tests/kit/servers/fake-servers.ts";
import { until } from "../../../tests/kit/until.ts";
import { openSource } from "./open-source.ts";

const scratch = useScratch();
const mebibyte = 2 ** 20;
const options = { hasPhotos: true, hasAlbums: true, hasPeople: false, visibility: "private" as const };

test("the bytes of an archive are read when they are asked for, several at once, and again", async () => {
  const directory = newDirectory(scratch);
  const path = join(directory, "archive.zip");
  const contents = Array.from({ length: 5 }, (_, index) => Buffer.alloc((index + 1) * 1_000_003, `${index} `));
  writeFileSync(path, zipOf(contents.map((data, index) => ({ name: `${index}.bin`, data, isDeflated: true }))));
  const site = { dataDir: directory, databaseDir: directory, importMemoryBytes: 512 * mebibyte };
  const wanted = { origin: { paths: [path], without: [] }, options, siteID: null };
  await using source = await openSource(site, wanted);
  const items = await Array.fromAsync(source.items());
  const files = items.filter((item) => item.kind === "file");
  const read = async (index: number) =>
    Buffer.concat(await Array.fromAsync(files[index]?.open() ?? [])).equals(contents[index] as Buffer);
  expect(await Promise.all([0, 1, 2, 3, 4].map(read))).toEqual([true, true, true, true, true]);
  // One that nobody reads to its end delays no other.
  for await (const _chunk of files[4]?.open() ?? []) break;
  expect(await read(3)).toBe(true);
});

test("a source with more text in other scripts than the converter may be ahead is read to its end", async () => {
  const directory = newDirectory(scratch);
  const path = join(directory, "blog.zip");
  const post = (title: string) => Buffer.from(`---\ntitle: ${title}\n---\n${"Гавань и маяк. ".repeat(40_000)}\n`);
  const names = [1, 2, 3, 4].map((day) => `_posts/2020-01-0${day}-harbour.md`);
  writeFileSync(path, zipOf(names.map((name) => ({ name, data: post(name), isDeflated: true }))));
  const site = { dataDir: directory, databaseDir: directory, importMemoryBytes: 512 * mebibyte };
  await using source = await openSource(site, { origin: { paths: [path], without: [] }, options, siteID: null });
  const items = await Array.fromAsync(source.items());
  expect(items.filter(({ kind }) => kind === "post").length).toBe(4);
});

test("an item with more values than a line may have is refused, and the next ones are read", async () => {
  const directory = newDirectory(scratch);
  const path = join(directory, "blog.zip");
  const post = (tags: string[]) => Buffer.from(`---\ntitle: A\ntags: [${tags.join()}]\n---\nText\n`);
  const many = Array.from({ length: 20_000 }, (_, tag) => tag.toString(36));
  const data = { "_posts/2020-01-01-a.md": post(many), "_posts/2020-01-02-b.md": post(["one"]) };
  writeFileSync(path, zipOf(Object.entries(data).map(([name, bytes]) => ({ name, data: bytes }))));
  const site = { dataDir: directory, databaseDir: directory, importMemoryBytes: 512 * mebibyte };
  await using source = await openSource(site, { origin: { paths: [path], without: [] }, options, siteID: null });
  const items = await Array.fromAsync(source.items());
  expect(items.filter(({ kind }) => kind === "post")).toMatchObject([{ tags: ["one"] }]);
  expect(items.filter(({ kind }) => kind === "refused")).toMatchObject([
    { reason: "It cannot be imported: A line has more than 10000 values." },
  ]);
});

const findConverters = () =>
  readdirSync("/proc").flatMap((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      const parent = Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1]);
      return parent === process.pid && words.some((word) => word.endsWith("convert/main.ts")) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

test.skipIf(process.platform !== "linux")(
  "the program that reads a source sees nothing of ours; an import that ends with it twice is not begun again",
  async () => {
    const key = "the-key-of-another-server";
    const never = Promise.withResolvers<void>();
    const entry = (name: string, type: string) =>
      `<D:response><D:href>/${name}</D:href><D:propstat><D:prop><D:resourcetype>${type}</D:resourcetype><D:getcontentlength>9</D:getcontentlength></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`;
    const listed = `<D:multistatus xmlns:D="DAV:">${entry("", "<D:collection/>")}${entry("a.txt", "")}</D:multistatus>`;
    const respond = ({ method, path }: { method: string; path: string }): FakeResponse => {
      if (path === "/a.txt") return { body: "and so on", cutAfter: 3, cutWhen: never.promise };
      return method === "PROPFIND" ? { status: 207, body: listed } : { status: 404 };
    };
    await using fake = await startFake(respond);
    await using site = await startServer();
    const ada = await admin(site);
    const server = { kind: "webdav", url: fake.url, username: "ada" };
    const begun = ada.post("/api/v1/imports", { server, key });
    const read = async () => (await ada.get("/api/v1/imports/1")).body;
    for (const _time of [1, 2]) {
      await until(fake.takeSeen, (seen) => seen.includes("GET /a.txt"));
      const [pid = 0, ...others] = findConverters();
      expect(others).toEqual([]);
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      const names = environment.split("\0").flatMap((one) => one.split("=")[0] || []);
      expect(names.toSorted()).toEqual(["BUN_JSC_forceRAMSize", "BUN_OPTIONS", "TMPDIR"]);
      expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(key);
      process.kill(pid, "SIGKILL");
    }
    const ended = await until(read, ({ status }) => status !== "running");
    expect(ended).toMatchObject({ status: "failed", failure: expect.stringContaining("was begun twice") });
    expect((await begun).status).toBe(201);
    expect(findConverters()).toEqual([]);
    never.resolve();
  },
);
