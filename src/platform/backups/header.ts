import { z } from "zod";
import { isHashRight, printHashed } from "./hashed-text.ts";
import { BackupError, type Place } from "./place.ts";
import { readBytes } from "./reading.ts";

export const newestFormat = 1;
const headerName = "vitrine-backups.json";

const headerSchema = z.object({
  format: z.literal(newestFormat),
  id: z.uuid(),
  /** The site whose backups these are. */
  site: z.string(),
  createdAt: z.string(),
  encryption: z.object({ recipient: z.string() }).nullable(),
  /** The SHA-256 of the other files that belong to no backup. */
  files: z.record(z.string(), z.string()),
});
export type Header = z.output<typeof headerSchema>;

/** Null if the place has no backups. Throws if it is damaged, or was written by a newer version. */
export async function readHeader(place: Place): Promise<Header | null> {
  const bytes = await readBytes(place, headerName);
  if (bytes === null) return null;
  const text = new TextDecoder().decode(bytes);
  const damaged = new BackupError(`${headerName} in ${place.name} is damaged.`);
  let value: { format?: unknown };
  try {
    value = JSON.parse(text) as { format?: unknown };
  } catch {
    throw damaged;
  }
  if (typeof value?.format === "number" && value.format > newestFormat) {
    throw new BackupError(
      `The backups in ${place.name} have format ${value.format}, and this version reads ${newestFormat}: upgrade this program.`,
    );
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success || !isHashRight(text)) throw damaged;
  return parsed.data;
}

/** The last file of a new place: without it there are no backups. */
export async function addHeader(place: Place, header: Header): Promise<void> {
  await place.add(headerName, await place.make([Buffer.from(printHashed(header))]));
}

/** For someone who finds the folder in ten years. */
export function describeFormat({ encryption }: Pick<Header, "encryption">): string {
  const unseal = encryption ? "Every file is encrypted: `age --decrypt --identity KEY FILE` reads it.\n" : "";
  const key =
    "KEY is the file with the secret key; with a passphrase, it is identity.age, of which there is a copy.\nThe names in blobs/ are keyed hashes.\n";
  return `Backups of a site of Vitrine, a personal content server.

snapshots/ID/database.sqlite.gz   all records at one moment: gunzip it, and read it with sqlite3
snapshots/ID/files.sha256.gz      the files that belong to it: \`zcat snapshots/ID/files.sha256.gz | sha256sum --check\`
snapshots/ID/manifest.json        when it was made, by which version, and the hashes of these two
blobs/                            the content of the files, named by their SHA-256

${unseal}${encryption ? key : ""}\`vitrine backup restore --from THIS_FOLDER --data DIR\` makes a site of it.
`;
}
