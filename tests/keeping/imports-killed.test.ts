// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: it is about the files of SQLite and of the local disk.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../kit/client.ts";
import { password, signedIn } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { finish, runVitrine, spawnVitrine, startVitrine } from "../kit/process.ts";
import { until } from "../kit/until.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const kills = 20;
const folders = 40;
const scratch = useScratch();

type Environment = { DATA_DIR: string };

async function createSite(): Promise<Environment> {
  const env = { DATA_DIR: newDirectory(scratch) };
  await runVitrine(["user", "add", "ada", "--role", "admin", "--create"], env, `${password}\n`);
  return env;
}

/** The commands that import a folder with albums, and an export of Google Photos in two archives. */
async function createSources(): Promise<string[][]> {
  const folder = join(scratch, "Travels");
  for (let number = 0; number < folders; number++) {
    const path = join(folder, `Journey ${number}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 12; file++)
      writeFileSync(join(path, `note ${file}.txt`), `${number} ${file} `.repeat(3000));
    writeFileSync(join(path, "view.png"), await bytesOf(quadrants(20 + number, 20).png()));
  }
  const zip = async (name: string, files: Record<string, string | Uint8Array<ArrayBuffer>>) => {
    const inputs = Object.entries(files).map(([path, input]) => ({ name: `Takeout/Google Photos/${path}`, input }));
    writeFileSync(join(scratch, name), await downloadZip(inputs).bytes());
    return join(scratch, name);
  };
  const [pictures, texts]: [Record<string, Uint8Array<ArrayBuffer>>, Record<string, string>] = [{}, {}];
  for (let number = 0; number < folders; number++) {
    const path = `Album ${number % 4}/IMG_${number}.jpg`;
    pictures[path] = await bytesOf(quadrants(20, 21 + number).jpeg());
    texts[`${path}.json`] = JSON.stringify({
      description: `The picture ${number}`,
      photoTakenTime: { timestamp: `${1_562_340_000 + number}` },
    });
    texts[`Album ${number % 4}/metadata.json`] = JSON.stringify({ title: `Harbours ${number % 4}` });
  }
  const takeout = [await zip("takeout-1.zip", pictures), await zip("takeout-2.zip", texts)];
  return [
    ["import", folder, "--albums"],
    ["import", ...takeout],
  ];
}

/** Runs a command until it has come this much further, and kills it then; false if it has ended before. */
async function runAndKill(command: string[], env: Environment, more: number): Promise<boolean> {
  const db = new Database(join(env.DATA_DIR, "vitrine.db"), { readonly: true });
  const read = () => (db.query("SELECT count(*) AS count FROM import_items").get() as { count: number }).count;
  const goal = read() + more;
  const child = spawnVitrine(command, env);
  const ended = finish(child);
  while (child.exitCode === null && read() < goal) await Bun.sleep(2);
  // Not always right behind a transaction.
  await Bun.sleep(Math.random() * 20);
  db.close();
  child.kill("SIGKILL");
  const { code, stderr } = await ended;
  if (child.signalCode === null) expect([code, stderr]).toEqual([0, ""]);
  return child.signalCode !== null;
}

/** Everything that a site shows, without the ids and times of its records. */
async function readSite(env: Environment) {
  await using server = await startVitrine(env);
  const ada = await signedIn(server, "ada");
  await until(
    () => ada.get("/api/v1/attention"),
    ({ body }) => body.unfinishedImports === 0,
  );
  const photos = (await ada.get("/api/v1/photos?owner=me&pageSize=1000")).body.map(toPhoto).toSorted();
  const { body: found } = await ada.get("/api/v1/albums?owner=me&pageSize=1000");
  const albums = await Promise.all(
    found.map(async ({ id, name, description, visibility }: any) => {
      const { body } = await ada.get(`/api/v1/albums/${id}`);
      return JSON.stringify({ name, description, visibility, photos: body.photos.map(toPhoto).toSorted() });
    }),
  );
  return { files: (await listFiles(ada, "/")).toSorted(), photos, albums: albums.toSorted() };
}

const toPhoto = ({ title, description, takenAt, visibility, width, height, tags, file }: any) =>
  JSON.stringify({ title, description, takenAt, visibility, width, height, tags, file: `${file.path}/${file.name}` });

async function listFiles(ada: Client, path: string): Promise<string[]> {
  const { body } = await ada.get(`/api/v1/files?path=${encodeURIComponent(path)}&pageSize=1000`);
  const all = body.map(async (file: any) => {
    const below = file.isDirectory ? await listFiles(ada, `${path === "/" ? "" : path}/${file.name}`) : [];
    return [`${file.path} ${file.name} ${file.sha256} ${file.size} ${file.visibility}`, ...below];
  });
  return (await Promise.all(all)).flat();
}

test.if(isLong)(`an import that was killed ${kills} times becomes the same site as without`, async () => {
  const commands = await createSources();
  const whole = await createSite();
  for (const command of commands) expect((await runVitrine(command, whole)).code).toBe(0);
  const expected = await readSite(whole);
  expect(expected.albums.length).toBe(folders + 4);
  expect(expected.photos.length).toBe(2 * folders);

  // About as many items as a command has, in so many parts that none of them is the last.
  const more = Math.floor((folders * 15) / (kills + 2));
  let killed = 0;
  while (killed < kills) {
    const env = await createSite();
    for (const command of commands) {
      while (killed < kills && (await runAndKill(command, env, more))) killed++;
      const { code, stderr } = await runVitrine(command, env);
      expect([code, stderr]).toEqual([0, ""]);
    }
    expect(await readSite(env)).toEqual(expected);
    // The start has removed what was half received.
    expect(readdirSync(join(env.DATA_DIR, "incoming"))).toEqual([]);
    const { code, stdout } = await runVitrine(["doctor", "--hash"], env);
    expect([code, stdout]).toEqual([0, expect.any(String)]);
  }
});
