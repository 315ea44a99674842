// Runs on the embedded engines only: it is about the command line and the folder that it reads.
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isLong } from "../../../tests/kit/long.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside } from "../../../tests/kit/server.ts";
import { until } from "../../../tests/kit/until.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const scratch = useScratch();
const server = useServer();
const { guest, admin } = server.people();

function folderOf(files: Record<string, string>): string {
  const folder = newDirectory(scratch);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const importFrom = (...words: string[]) => runBeside(server, ["import", ...words]);
const namesIn = async (path: string) =>
  (await admin.get(`/api/v1/files?path=${path}`)).body.map(({ name }: any) => name);
const takenFor = (count: string) => `Taken for a folder of files, and no export that is known here, with ${count}.`;
const onlyOwner = "Only root and admins will see what is imported: --visibility public shows it to everyone.";

test("an import says first what a source was taken for, how much it has, and who will see it", async () => {
  const folder = folderOf({ "a.txt": "a", "below/b.txt": "b" });
  const run = (...more: string[]) => importFrom(folder, "--to", "/said", ...more);
  expect((await run("--dry-run")).stdout.split("\n")).toEqual([
    `${takenFor("2 entries")} ${onlyOwner}`,
    "Nothing was written. An import would have: 2 added (0.0 MB), 0 known already, 0 changed, 0 refused.",
    "",
  ]);
  expect((await guest.get("/api/v1/files?path=/said")).status).toBe(404);
  if (isLong) {
    const { source, added } = JSON.parse((await run("--json")).stdout);
    expect([source, added]).toEqual([{ kind: "folder", entries: 2, visibility: "private", owner: "root" }, 2]);
    expect((await guest.get("/api/v1/files?path=/said")).status).toBe(404);
  }
  const { stdout } = await importFrom(folder, "--to", "/open", "--visibility", "public");
  expect(stdout).toStartWith(
    `${takenFor("2 entries")} Everyone will see what is imported, except what the source says is private.\n`,
  );
  expect((await guest.get("/api/v1/files?path=/open/below")).body).toMatchObject([{ name: "b.txt" }]);
});

test("hidden files are left out and counted, unless somebody wants them", async () => {
  const folder = folderOf({ "a.txt": "a", ".env": "KEY=1", ".ssh/id_rsa": "key", "code/.git/config": "x" });
  const { stdout } = await importFrom(folder, "--to", "/home");
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    `${takenFor("4 entries")} ${onlyOwner}`,
    'Note: "hidden files": 3 hidden files left out; --hidden takes them',
  ]);
  expect(await namesIn("/home")).toEqual(["code", "a.txt"]);
  expect(await namesIn("/home/code")).toEqual([]);
  await importFrom(folder, "--to", "/home", "--hidden");
  expect(await namesIn("/home")).toEqual([".ssh", "code", ".env", "a.txt"]);
  expect((await guest.get("/api/v1/files?path=/home")).status).toBe(404);
});

test("the export of a service that cannot be imported is named, and is a folder of files only for who says so", async () => {
  const files = { "Connections.csv": "First Name", "Profile.csv": "First Name" };
  const refusal = "It is an export of LinkedIn, which cannot be imported here, so nothing was stored.";
  const folder = folderOf(files);
  expect(await importFrom(folder, "--to", "/linkedin")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(refusal),
  });
  expect((await admin.get("/api/v1/files?path=/linkedin")).status).toBe(404);
  if (isLong) {
    const { stdout } = await importFrom(folder, "--to", "/linkedin", "--as-folder");
    expect(stdout).toStartWith(`${takenFor("2 entries")} ${onlyOwner}\n`);
    expect(await namesIn("/linkedin")).toEqual(["Connections.csv", "Profile.csv"]);
  }

  const zip = await downloadZip(Object.entries(files).map(([name, input]) => ({ name, input }))).arrayBuffer();
  const fileIDs = [(await admin.upload("mine.zip", new Uint8Array(zip))).body.id];
  const begin = async (more: object) => {
    const { id } = (await admin.post("/api/v1/imports", { fileIDs, to: "/mine", ...more })).body;
    const read = () => admin.get(`/api/v1/imports/${id}`);
    return (await until(read, ({ body }) => body.status !== "running")).body;
  };
  expect(await begin({})).toMatchObject({ status: "failed", kind: null, failure: expect.stringContaining(refusal) });
  expect(await begin({ asFolder: true })).toMatchObject({ status: "finished", kind: "folder", items: { added: 2 } });
});

test("the data directory of a site is refused, alone, in another folder and in an archive", async () => {
  const site = { "jwt-secret": "secret", format: "1", "blobs/ab/abcd": "x" };
  const alone = folderOf(site);
  const within = folderOf({ "photos/a.txt": "a", "data/vitrine.db": "x" });
  for (const [folder, name] of [
    [alone, alone.split("/").at(-1)],
    [within, "data"],
  ] as const)
    expect(await importFrom(folder, "--to", "/stolen", "--hidden")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${name} is the data directory of a Vitrine site`),
    });
  const entries = Object.entries(site).map(([name, input]) => ({ name: `old/${name}`, input }));
  const zip = new Uint8Array(await downloadZip(entries).arrayBuffer());
  const fileIDs = [(await admin.upload("old.zip", zip)).body.id];
  const { id } = (await admin.post("/api/v1/imports", { fileIDs, to: "/stolen" })).body;
  const { body } = await until(
    () => admin.get(`/api/v1/imports/${id}`),
    (found) => found.body.status !== "running",
  );
  expect([body.status, body.failure]).toEqual([
    "failed",
    expect.stringContaining("is the data directory of a Vitrine"),
  ]);
  expect((await admin.get("/api/v1/files?path=/stolen")).status).toBe(404);
});
