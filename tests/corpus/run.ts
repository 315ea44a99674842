// Uploads a folder of pictures to a server, and compares what a guest gets with what exiftool and ImageMagick say of the originals:
// `npm run test:corpus -- FOLDER`. It needs both programs (Debian: libimage-exiftool-perl, imagemagick) and is not part of `npm test`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join, relative, resolve } from "node:path";
import { type Client, client, person, startServer } from "../kit.ts";
import { hashPixels, listFiles, privateIn, readTags, type Tags } from "./programs.ts";

const maxBytes = 60 * 2 ** 20;
const [given] = process.argv.slice(2);
if (!given) throw new Error("Say which folder: npm run test:corpus -- FOLDER");
for (const program of ["exiftool", "identify"])
  if (!Bun.which(program)) throw new Error(`${program} is not installed.`);
const folder = resolve(given);
const scratch = mkdtempSync(join(tmpdir(), "vitrine-corpus-"));

type Sample = { path: string; photo: Record<string, any> | null; reason: string | null; copy: string | null };

async function upload(owner: Client, guest: Client, path: string, index: number): Promise<Sample> {
  const { status, body: file } = await owner.upload(basename(path), readFileSync(path));
  if (status !== 201) return { path, photo: null, reason: `${status} ${file.error}`, copy: null };
  const added = await owner.post("/api/v1/photos", { title: "Sample", fileID: file.id });
  const content = await fetch(guest.url(`/api/v1/files/${file.id}/content`));
  const copy = content.ok ? join(scratch, "public", `${index}${extname(path)}`) : null;
  const bytes = new Uint8Array(await content.arrayBuffer());
  if (copy) writeFileSync(copy, bytes);
  if (added.status >= 500 || content.status >= 500) failed.push(`${relative(folder, path)}: a status of 5xx`);
  const isMade = added.status === 201;
  return { path, photo: isMade ? added.body : null, reason: isMade ? null : String(added.body.error), copy };
}

const failed: string[] = [];
const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);

/** The date and the numbers of the camera, as exiftool reads them. */
function compareTruth({ path, photo }: Sample, tags: Tags): void {
  if (!photo) return;
  const { exif, takenAt } = photo;
  const compare = (what: string, ours: string | number | null, theirs: string | number | undefined) => {
    if (theirs === undefined || theirs === "") return;
    const isSame =
      typeof theirs === "number"
        ? Math.abs(Number(ours) - theirs) <= 1e-3 * Math.abs(theirs) + 1e-6
        : String(ours) === theirs.trim();
    count(`${what}: ${ours === null || ours === undefined ? "missing" : isSame ? "the same" : "different"}`);
    if (!isSame)
      differences.push(`${relative(folder, path)}: ${what} ${String(ours)}, not ${String(theirs).slice(0, 80)}`);
  };
  compare("camera", exif?.model ?? null, tags["IFD0:Model"]);
  compare("lens", exif?.lens ?? null, tags["ExifIFD:LensModel"] ?? tags["XMP-aux:Lens"]);
  compare("ISO", exif?.iso ?? null, tags["ExifIFD:ISO"] || undefined);
  const taken = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(tags["ExifIFD:DateTimeOriginal"] ?? ""));
  const isReal = taken && !Number.isNaN(Date.parse(`${taken[1]}-${taken[2]}-${taken[3]}T${taken[4]}Z`));
  if (isReal && tags["ExifIFD:OffsetTimeOriginal"] === undefined)
    compare("date", takenAt?.slice(0, 19) ?? null, `${taken[1]}-${taken[2]}-${taken[3]}T${taken[4]}`);
  const latitude = tags["Composite:GPSLatitude"];
  if (typeof latitude === "number") compare("latitude", exif?.place?.latitude ?? null, latitude);
}

const differences: string[] = [];

async function comparePixels({ path, copy }: Sample): Promise<void> {
  if (!copy) return count("withheld: only the owner gets the file");
  const name = relative(folder, path);
  if (Buffer.compare(readFileSync(path), readFileSync(copy)) === 0)
    return count("published: nothing had to be removed");
  const [before, after] = await Promise.all([hashPixels(path), hashPixels(copy)]);
  count(
    `published: cleaned, pixels ${before === null ? "that ImageMagick cannot decode" : before === after ? "the same" : "DIFFERENT"}`,
  );
  if (before !== null && before !== after) failed.push(`${name}: other pixels after cleaning`);
}

mkdirSync(join(scratch, "public"));
const server = await startServer({ ACCOUNT_RATE_LIMIT_PER_SECOND: "1000000", MEDIA_RATE_LIMIT_PER_SECOND: "1000000" });
try {
  const [owner, guest] = [await person(server, "corpus"), client(server)];
  const samples: Sample[] = [];
  for (const [index, path] of listFiles(folder, maxBytes).entries())
    samples.push(await upload(owner, guest, path, index));
  const [originals, copies] = [await readTags(folder), await readTags(join(scratch, "public"))];
  for (const sample of samples) {
    count(sample.photo ? "shown" : "refused");
    if (sample.reason) count(`refused: ${sample.reason.replaceAll(/"[^"]*"/g, '"…"').slice(0, 160)}`);
    compareTruth(sample, originals.get(sample.path) ?? {});
    const left = sample.copy && sample.photo ? privateIn(copies.get(sample.copy) ?? {}) : [];
    if (left.length > 0) failed.push(`${relative(folder, sample.path)}: ${left.join(", ")}`);
    await comparePixels(sample);
  }
  console.log(`${samples.length} files in ${folder}`);
  for (const [what, number] of [...counts].toSorted()) console.log(`${String(number).padStart(6)}  ${what}`);
  for (const difference of differences) console.log(`- ${difference}`);
  for (const failure of failed) console.log(`! ${failure}`);
  console.log(
    failed.length === 0
      ? "Nothing private was published, and no pixel was changed."
      : `${failed.length} files are wrong.`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
}
