import { join } from "node:path";
import sharp from "sharp";
import { sql } from "../../src/platform/database/sql.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { account, fillLibrary } from "../library-fill.ts";
import { stopAll } from "../processes.ts";
import { ask } from "../request.ts";
import { startVitrine } from "../servers/vitrine.ts";

const shapes = [
  [1500, 1000],
  [1000, 1500],
  [1600, 1200],
  [1200, 1200],
  [2000, 900],
] as const;

type Stored = { sha256: string; width: number; height: number };

/** A library whose photos show one of a few real pictures, in different shapes. */
export async function fillStudio(dataDir: string, count: number): Promise<void> {
  await fillLibrary(dataDir, count);
  const stored = await storePictures(dataDir);
  const db = await openSqlite(join(dataDir, "vitrine.db"));
  for (const [index, { sha256, width, height }] of stored.entries()) {
    const isShown = sql`id <= ${count} AND id % ${stored.length} = ${index}`;
    await db.transaction(
      async (tx) => {
        await tx.run(sql`UPDATE files SET sha256 = ${sha256} WHERE ${isShown}`);
        await tx.run(sql`UPDATE photos SET width = ${width}, height = ${height} WHERE ${isShown}`);
      },
      { isLong: true },
    );
  }
  await db.close();
}

/** Also makes the sizes that the grid asks for, so that it does not wait for them. */
async function storePictures(dataDir: string): Promise<Stored[]> {
  const { url } = await startVitrine(dataDir);
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: account });
  const stored: Stored[] = [];
  for (const [index, [width, height]] of shapes.entries()) {
    const form = new FormData();
    form.set("path", "/pictures");
    form.set("file", new File([await draw(width, height, index)], `${index}.jpg`));
    const file = await ask<{ id: number; sha256: string }>(`${url}/api/v1/files`, { method: "POST", token, form });
    const json = { fileID: file.id, title: "Picture", takenAt: "1990-01-01T00:00:00Z" };
    const photo = await ask<{ variants: { url: string }[] }>(`${url}/api/v1/photos`, { method: "POST", token, json });
    for (const variant of photo.variants) {
      for (const accept of ["image/avif", "image/webp"]) await fetch(url + variant.url, { headers: { accept } });
    }
    stored.push({ sha256: file.sha256, width, height });
  }
  await stopAll();
  return stored;
}

/** With much detail, as a photo has it. */
async function draw(width: number, height: number, index: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: "gaussian", mean: 90 + 20 * index, sigma: 40 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: "#000", noise } });
  return new Uint8Array(await picture.blur(2).jpeg({ quality: 80 }).toBuffer());
}
