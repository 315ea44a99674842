// Uploads folders of pictures to a server, and compares what a guest gets with what exiftool and ImageMagick say of the originals:
// `npm run test:corpus -- FOLDER…`. It needs both programs (Debian: libimage-exiftool-perl, imagemagick) and is not part of `npm test`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import sharp from "sharp";
import { type Answer, type Client, client } from "../kit/client.ts";
import { person } from "../kit/people.ts";
import { startServer } from "../kit/server.ts";
import { findProgram } from "../kit/optional.ts";
import {
  compareCleaned,
  comparePrivacy,
  compareShown,
  compareTruth,
  differencesFolder,
  type Sample,
} from "./compare.ts";
import { createFindings } from "./findings.ts";
import { listFiles, readTags } from "./programs.ts";

const maxBytes = 60 * 2 ** 20;
/** What a guest got is kept for so many files at a time. */
const filesAtOnce = 40;
const samplesAtOnce = 2;
const maxTries = 30;

const folders = process.argv.slice(2).map((folder) => resolve(folder));
if (folders.length === 0) throw new Error("Say which folder: npm run test:corpus -- FOLDER…");
for (const program of ["exiftool", "identify", "convert"])
  if (!findProgram(program)) throw new Error(`${program} is not installed.`);
rmSync(differencesFolder, { recursive: true, force: true });
const scratch = mkdtempSync(join(tmpdir(), "vitrine-corpus-"));
const profile = join(scratch, "srgb.icc");
const found = createFindings();

async function upload(owner: Client, guest: Client, path: string, name: string): Promise<Sample> {
  const sample: Sample = { path, name, photo: null, reason: null, copy: null, variant: null };
  const { status, body: file } = await owner.upload(basename(path), readFileSync(path));
  if (status !== 201) return { ...sample, reason: `${status} ${file.error}` };
  const [added, tries] = await patiently(() => owner.post("/api/v1/photos", { title: "Sample", fileID: file.id }));
  if (tries > 1) found.note(name, `the server was busy with it ${tries - 1} times`);
  if (added.status >= 500) found.fail(name, `status ${added.status}: ${added.body.error}`);
  const save = async (address: string, extension: string, Accept = "*/*") => {
    let response = await fetch(guest.url(address), { headers: { Accept } });
    for (let tries = 1; response.status === 503 && tries < maxTries; tries++) {
      await Bun.sleep(1000);
      response = await fetch(guest.url(address), { headers: { Accept } });
    }
    if (response.status >= 500) found.fail(name, `status ${response.status} at ${address}`);
    const saved = join(scratch, `${file.id}${extension}`);
    if (response.ok) writeFileSync(saved, await response.bytes());
    return response.ok ? saved : null;
  };
  const copy = await save(`/api/v1/files/${file.id}/content`, extname(path));
  if (added.status !== 201) return { ...sample, reason: String(added.body.error), copy };
  const photo = await prepared(owner, added.body);
  if (!photo) return { ...sample, reason: "It could not be prepared in the background.", copy };
  const address = photo.variants.at(-1)?.url;
  return { ...sample, photo, copy, variant: address ? await save(address, ".variant.webp", "image/webp") : null };
}

/** A server that is busy says so, and is asked again. */
async function patiently(send: () => Promise<Answer>): Promise<[Answer, number]> {
  for (let tries = 1; ; tries++) {
    const response = await send();
    if (response.body.code !== "busy" || tries === maxTries) return [response, tries];
    await Bun.sleep(1000);
  }
}

/** The photo when its picture is there; null if that fails. */
async function prepared(owner: Client, photo: Record<string, any>): Promise<Record<string, any> | null> {
  let current = photo;
  while (current.isPreparing) {
    await Bun.sleep(500);
    current = (await owner.get(`/api/v1/photos/${photo.id}`)).body;
  }
  return photo.isPreparing && current.variants.length === 0 ? null : current;
}

/** Uploads and compares a few files. */
async function compareFiles(owner: Client, guest: Client, paths: string[]): Promise<void> {
  const left = paths.map((path) => ({ path, name: nameOf(path) })).values();
  const samples: Sample[] = [];
  const work = async () => {
    for (const { path, name } of left) {
      const sample = await upload(owner, guest, path, name).catch((error: unknown) => {
        found.fail(name, String(error));
        return null;
      });
      if (!sample) continue;
      samples.push(sample);
      found.count(sample.photo ? "shown" : "refused");
      if (sample.reason) found.count(`refused: ${sample.reason.replaceAll(/"[^"]*"/g, '"…"').slice(0, 160)}`);
      await compareCleaned(sample, found);
      await compareShown(sample, profile, found);
    }
  };
  await Promise.all(Array.from({ length: samplesAtOnce }, work));
  const tags = await readTags(samples.flatMap(({ path, copy, variant }) => [path, copy ?? [], variant ?? []].flat()));
  for (const sample of samples) {
    compareTruth(sample, tags.get(sample.path) ?? {}, found);
    comparePrivacy(sample, tags, found);
    for (const path of [sample.copy, sample.variant]) if (path) rmSync(path);
  }
}

const nameOf = (path: string) => {
  const folder = folders.find((one) => path.startsWith(`${one}/`)) ?? "";
  return relative(folders.length === 1 ? folder : dirname(folder), path);
};

const server = await startServer({ ACCOUNT_RATE_LIMIT_PER_SECOND: "1000000", MEDIA_RATE_LIMIT_PER_SECOND: "1000000" });
try {
  const white = sharp({ create: { width: 8, height: 8, channels: 3, background: "#fff" } }).withIccProfile("srgb");
  writeFileSync(profile, (await sharp(await white.jpeg().toBuffer()).metadata()).icc ?? "");
  const [owner, guest] = [await person(server, "corpus"), client(server)];
  const paths = folders.flatMap((folder) => listFiles(folder, maxBytes));
  let done = 0;
  const stopping = new AbortController();
  // What was compared until then is still counted.
  process.once("SIGINT", () => stopping.abort());
  while (done < paths.length && !stopping.signal.aborted) {
    const slice = paths.slice(done, done + filesAtOnce);
    await compareFiles(owner, guest, slice);
    done += slice.length;
    console.error(`${done} of ${paths.length} files, ${found.failures()} wrong`);
  }
  console.log(`${done} of ${paths.length} files in ${folders.join(", ")}`);
  found.printCounts();
  const isRight = found.failures() === 0;
  console.log(
    isRight ? "Nothing private was published, and no pixel was changed." : `${found.failures()} findings are wrong.`,
  );
  process.exitCode = isRight ? 0 : 1;
} finally {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
}
