import { SQL } from "bun";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/engines.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { engineEnv, makeMigratedDatabase } from "../kit/engine.ts";
import { png } from "../kit/files/png.ts";
import { serverConfig } from "../kit/server.ts";
import { createSite, type Site } from "../sql/lists.ts";
import { growSite } from "./grow.ts";
import { explainKept } from "./measure.ts";

/** The records that are copied: one of each kind. */
export type Records = {
  user: number;
  photo: number;
  file: number;
  album: number;
  post: number;
  comment: number;
  activity: number;
  trashed: number;
  hash: string;
};

/** Of a disk without a head, as docs/operate/scaling.md recommends: by default, PostgreSQL rather reads whole tables of some size. */
const fastDisk = { random_page_cost: "1.1" };
/** Small tables are read as large ones are. */
const asIfLarge = { enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" };
const large = 20_000;

/** A site on PostgreSQL with so many photos, and as many files and comments. */
export async function createLargeSite(photos: number): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-rows-"));
  // The server gets this database, too, and opens its connections with these settings.
  await engineEnv(dataDir, () => makeTunedDatabase({ ...fastDisk, ...(photos < large && asIfLarge) }));
  const site = await createSite({ DATA_DIR: dataDir });
  const config = await serverConfig(site.server);
  if (config.database.engine !== "postgres") throw new Error("Only PostgreSQL says how many rows it has read.");
  const db = await openDatabase(config);
  const { owner, stranger, admin } = site.people;
  await admin.put("/api/v1/settings", { photoComments: true });
  const { body: picture } = await owner.upload("deleted.png", png(3, 2), { path: "/b" });
  const trashed = await owner.post("/api/v1/photos", { title: "Deleted", fileID: picture.id });
  await owner.delete(`/api/v1/photos/${trashed.body.id}`);
  await stranger.post("/api/v1/comments", { content: "Another", blogPostID: site.ids.post });
  const found = await db.get<{ hash: string; activity: number }>(sql`
    SELECT sized_sha256 AS hash, (SELECT min(id) FROM activity) AS activity FROM photos WHERE id = ${site.ids.photo as number}`);
  await growSite(config.database.url, db, { ...site.ids, ...found, trashed: trashed.body.id } as Records, photos);
  await db.close();
  return site;
}

async function makeTunedDatabase(settings: Record<string, string>): Promise<string> {
  const url = await makeMigratedDatabase();
  const connection = new SQL(url, { max: 1 });
  for (const [name, value] of Object.entries(settings))
    await connection.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${name} = ${value}`);
  await connection.unsafe(explainKept);
  await connection.close();
  return url;
}
