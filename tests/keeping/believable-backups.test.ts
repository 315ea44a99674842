// Runs on the embedded engines only: it is about the files of a backup in a folder.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { openForBackup } from "../../src/engines.ts";
import { type BackedUpSite, createBackup } from "../../src/features/backups/create.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { generateKeys } from "../../src/platform/backups/encryption.ts";
import { openFolder } from "../../src/platform/backups/folder.ts";
import type { Place } from "../../src/platform/backups/place.ts";
import { openOrCreateRepository } from "../../src/platform/backups/repository.ts";
import { openWorkIn } from "../../src/platform/backups/work-directory.ts";
import { filesBelow } from "../kit/backup-kit.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();
const site = { DATA_DIR: join(scratch, "site") };
const words = ["first words", "second words"];

/** A site with two files. */
beforeAll(async () => {
  await runVitrine(["user", "add", "writer", "--create"], site, `${password}\n`);
  await using server = await startVitrine(site);
  const { token } = (await client(server).post("/signin", { username: "writer", password })).body;
  for (const text of words) await client(server, token).upload(`${text}.txt`, text);
}, 180_000);

const noKeys = { passphrase: null, recipient: null, identityFile: null };
const noNames = { read: async () => null, store: async () => {} };

type Change = { site?: (site: BackedUpSite) => Partial<BackedUpSite>; place?: (place: Place) => Partial<Place> };

/** Backs up the site in this process, with some of its steps changed. Returns the folder. */
async function createChanged(folder: string, recipient: string | null, change: Change): Promise<void> {
  const opened = await openForBackup(readConfig(site), schemaOf(modules));
  const found = await openFolder(folder, "create", () => openWorkIn(join(site.DATA_DIR, "spool")));
  const place = { ...found, ...change.place?.(found) };
  try {
    const repository = await openOrCreateRepository(place, { ...noKeys, recipient }, "site", noNames);
    await createBackup(repository, { ...opened, ...change.site?.(opened) }, () => {});
  } finally {
    await place.close();
    await opened.close();
  }
}

describe("an encrypted backup", () => {
  test("never has anything readable where it is stored, not even while it is made", async () => {
    const folder = join(newDirectory(scratch), "backups");
    const { recipient } = await generateKeys();
    let looks = 0;
    const look = () => {
      looks++;
      for (const path of filesBelow(folder)) {
        if (/\/(README\.txt|vitrine-backups\.json)$/.test(path)) continue;
        const text = readFileSync(path, "latin1");
        expect([path, text.slice(0, 21)]).toEqual([path, text === "" ? "" : "age-encryption.org/v1"]);
      }
    };
    await createChanged(folder, recipient, {
      site: ({ openBlob, exportDatabase }) => ({
        openBlob: (sha256) => openBlob(sha256).finally(look),
        exportDatabase: (path) => exportDatabase(path).finally(look),
      }),
      place: ({ make, add }) => ({
        make: (bytes) => make(bytes).finally(() => looks > 0 && look()),
        add: (name, made) => add(name, made).finally(() => looks > 0 && look()),
      }),
    });
    expect(looks).toBe(1 + words.length + 2 * (words.length + 3));
  });
});
