// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnv, isScaled } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { useScratch } from "../kit/scratch.ts";

const dataDir = useScratch();

test("vitrine doctor reports missing files, and with --hash also damaged ones, and says what refers to them", async () => {
  const env = { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
  const server = await startVitrine(env);
  await client(server).post("/signup", { username: "owner", password });
  const { token } = (await client(server).post("/signin", { username: "owner", password })).body;
  const owner = client(server, token);
  const upload = async (name: string) => (await owner.upload(name, crypto.randomUUID())).body;
  const [lost, damaged, replaced] = [await upload("lost.txt"), await upload("damaged.txt"), await upload("notes.txt")];
  // Other tests use the same bucket: the bytes of a file that is damaged here must not be those of one of theirs.
  const whole = crypto.randomUUID();
  const { body: cut } = await owner.upload("notes.txt", whole, { onConflict: "replace" });
  const [version] = (await owner.get(`/api/v1/files/${replaced.id}/versions`)).body;
  await server.close();

  const check = (...words: string[]) => runVitrine(["doctor", ...words], env);
  const consistent = "The database is consistent.";
  const hint = "--hash also compares their bytes";
  const present = `${consistent}\nAll 4 files are present and have the right size; ${hint}.\n`;
  expect(await check()).toEqual({ code: 0, stdout: present, stderr: "" });
  const intact = { code: 0, stdout: `${consistent}\nAll 4 files are present and intact.\n`, stderr: "" };
  expect(await check("--hash")).toEqual(intact);

  await removeBlob(lost.sha256);
  await removeBlob(replaced.sha256);
  // The same size, which only its bytes tell from the original, and another one.
  await overwriteBlob(damaged.sha256, crypto.randomUUID());
  await overwriteBlob(cut.sha256, whole.slice(1));
  const missing = [
    `missing: ${lost.sha256} (file ${lost.id})`,
    `missing: ${replaced.sha256} (version ${version.id} of file ${replaced.id})`,
  ];
  const short = `damaged: ${cut.sha256} (file ${cut.id})`;
  const quick = await check();
  expect([quick.code, linesOf(quick.stdout)]).toEqual([
    1,
    linesOf(consistent, ...missing, short, "3 of 4 files are missing or damaged.", "3 errors, 0 warnings."),
  ]);
  const thorough = await check("--hash");
  const changed = `damaged: ${damaged.sha256} (file ${damaged.id})`;
  expect([thorough.code, linesOf(thorough.stdout)]).toEqual([
    1,
    linesOf(consistent, ...missing, short, changed, "4 of 4 files are missing or damaged.", "4 errors, 0 warnings."),
  ]);
});

/** What is said, without the columns of the table and without how to repair it. */
const linesOf = (...text: string[]) =>
  text
    .join("\n")
    .split("\n")
    .map((line) => line.replace(/^error {4}files {2}/, ""))
    .filter((line) => line.trim() && !line.startsWith(" "))
    .toSorted();

const onDisk = (sha256: string) => join(dataDir, "blobs", sha256.slice(0, 2), sha256);

function inBucket(sha256: string) {
  const { hostname, searchParams } = new URL(process.env.TEST_S3_URL ?? "");
  const [endpoint = "", region = ""] = ["endpoint", "region"].map((name) => searchParams.get(name) ?? "");
  return new Bun.S3Client({ bucket: hostname, endpoint, region }).file(`blobs/${sha256.slice(0, 2)}/${sha256}`);
}

async function removeBlob(sha256: string): Promise<void> {
  if (isScaled) await inBucket(sha256).delete();
  else rmSync(onDisk(sha256));
}

async function overwriteBlob(sha256: string, text: string): Promise<void> {
  if (isScaled) await inBucket(sha256).write(text);
  else writeFileSync(onDisk(sha256), text);
}
