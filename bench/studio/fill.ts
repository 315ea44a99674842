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

/** A sky above waves, with the grain of a camera: about as much detail as a photo has. */
export async function draw(width: number, height: number, index: number): Promise<Uint8Array<ArrayBuffer>> {
  const hue = 60 * index;
  const waves = Array.from({ length: 40 }, (_, wave) => {
    const y = height * (0.5 + wave / 80);
    const curve = `M0 ${y} q${width / 8} ${-9 - wave} ${width / 4} 0 t${width / 4} 0 t${width / 4} 0 t${width / 4} 0`;
    return `<path d="${curve}" fill="none" stroke="hsl(${hue} 40% ${20 + wave}%)" stroke-width="${2 + wave / 4}"/>`;
  });
  const sky = `<rect width="100%" height="100%" fill="hsl(${hue} 50% 60%)"/>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${sky}${waves.join("")}</svg>`;
  const noise = { type: "gaussian", mean: 128, sigma: 12 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: "#000", noise } })
    .blur(1)
    .png()
    .toBuffer();
  const picture = sharp(Buffer.from(drawing)).composite([{ input: grain, blend: "soft-light" }]);
  return new Uint8Array(await picture.jpeg({ quality: 80 }).toBuffer());
}
