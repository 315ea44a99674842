import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openForBackup } from "../../src/engines.ts";
import { type BackedUpSite, createBackup } from "../../src/features/backups/create.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { openFolder } from "../../src/platform/backups/folder.ts";
import type { Place, Purpose } from "../../src/platform/backups/place.ts";
import { openOrCreateRepository, openRepository } from "../../src/platform/backups/repository.ts";
import { openTemporaryWork } from "../../src/platform/backups/work-directory.ts";
import { client } from "./client.ts";
import { password } from "./people.ts";
import { runVitrine, startVitrine } from "./process.ts";

/** A site with these files, on the embedded engines. Returns its directory. */
export async function makeBackedUpSite(directory: string, texts: string[]): Promise<string> {
  const site = { DATA_DIR: join(directory, "site") };
  await runVitrine(["user", "add", "writer", "--create"], site, `${password}\n`);
  await using server = await startVitrine(site);
  const { token } = (await client(server).post("/signin", { username: "writer", password })).body;
  for (const text of texts) await client(server, token).upload(`${text}.txt`, text);
  return site.DATA_DIR;
}

const noKeys = { passphrase: null, recipient: null, identityFile: null };
const noNames = { read: async () => null, store: async () => {} };

type Keys = Partial<typeof noKeys | { [name in keyof typeof noKeys]: string }>;
/** Steps that are done in another way. */
type Change = {
  keys?: Keys;
  site?: (site: BackedUpSite) => Partial<BackedUpSite>;
  place?: (place: Place) => Partial<Place>;
};

/** Backs up a site to a folder, in this process. */
export async function backUp(dataDir: string, folder: string, change: Change = {}) {
  const opened = await openForBackup(readConfig({ DATA_DIR: dataDir }), schemaOf(modules));
  try {
    return await withFolder(folder, "create", async (found) => {
      const place = { ...found, ...change.place?.(found) };
      const repository = await openOrCreateRepository(place, { ...noKeys, ...change.keys }, "site", noNames);
      return createBackup(repository, { ...opened, ...change.site?.(opened) }, () => {});
    });
  } finally {
    await opened.close();
  }
}

/** Opens the backups in a folder, in this process. */
export const withBackups = <Result>(
  folder: string,
  { keys, place: changePlace }: Omit<Change, "site">,
  work: (repository: Awaited<ReturnType<typeof openRepository>>) => Promise<Result>,
): Promise<Result> =>
  withFolder(folder, "write", async (found) => {
    const place = { ...found, ...changePlace?.(found) };
    return work(await openRepository(place, { ...noKeys, ...keys }));
  });

async function withFolder<Result>(folder: string, purpose: Purpose, work: (place: Place) => Promise<Result>) {
  const place = await openFolder(folder, purpose, openTemporaryWork);
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}
