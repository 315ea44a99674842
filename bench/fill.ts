import type { User } from "../src/core/users/user.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { toDirectory, root } from "../src/content/files/rows.ts";
import { kindsOf, schemaOf } from "../src/module.ts";
import { modules } from "../src/modules.ts";
import { insertFile } from "../src/content/files/store.ts";
import type { Image } from "../src/core/images/image.ts";
import { insertImage } from "../src/core/images/store.ts";
import { insertPhoto } from "../src/content/photos/store.ts";
import type { Database, Queries } from "../src/platform/database/database.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import { catchUp } from "../src/features/search/index-records.ts";
import { addUser, noPassword } from "../src/core/users/store.ts";
import { photo } from "./operations.ts";

const directorySize = 1000;

/**
 * Fills a data directory with this many photos and their files, a thousand per directory and per transaction. The
 * modules' own functions write them, so that everything derived from a record is written as well. The files have no
 * bytes.
 */
export async function fillDataDirectory(dataDir: string, count: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const db = await openSqlite(join(dataDir, "vitrine.db"), { schema: schemaOf(modules) });
  const owner = await addUser(db, "bench", noPassword, "author");
  for (let first = 1; first <= count; first += directorySize) {
    await db.transaction((tx) => addDirectory(tx, owner, first, Math.min(first + directorySize - 1, count)));
  }
  await indexAll(db);
  await db.close();
}

/** Indexes every document now, so that later measurements do not include it. */
export async function indexAll(db: Database): Promise<void> {
  await catchUp(db, kindsOf(modules), Number.POSITIVE_INFINITY);
}

export async function addDirectory(tx: Queries, owner: User, first: number, last: number): Promise<void> {
  const ownerID = owner.id;
  const name = `Walk ${first}`;
  const directory = toDirectory(await insertFile(tx, { directory: root, name, ownerID, content: null }));
  for (let number = first; number <= last; number++) {
    const content = { sha256: number.toString(16).padStart(64, "0"), size: 1000, contentType: "image/jpeg" };
    const file = await insertFile(tx, { directory, name: `photo-${number}.jpg`, ownerID, content });
    await insertImage(tx, image(content.sha256));
    await insertPhoto(tx, owner, { ...photo(number), fileID: file.id, showLocation: false });
  }
}

/** The metadata of a picture from a camera. */
export function image(sha256: string): Image {
  return {
    sha256,
    width: 4000,
    height: 3000,
    duration: null,
    takenAt: 1_781_296_867_000,
    thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
    failure: null,
    isCutOff: false,
    takenAtZone: null,
    camera: {
      make: "FUJIFILM",
      model: "X-T5",
      lens: "XF35mmF1.4 R",
      exposureTime: 0.004,
      aperture: 5.6,
      iso: 200,
      focalLength: 35,
    },
    place: { latitude: 38.7071, longitude: -9.1355, altitude: 12, name: null },
    public: "all",
    motion: null,
  };
}
