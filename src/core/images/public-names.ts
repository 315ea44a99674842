import { generateSecret } from "../../platform/data-directory.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { keyedHash } from "../../platform/secrets.ts";

/** SQL for the key of public names, which all copies of the server share. */
export const publicNamesKey = sql`(SELECT secret FROM public_name_keys WHERE purpose = 'pictures')`;

const readKey = async (db: Reader): Promise<string | null> =>
  (await db.get<{ secret: string | null }>(sql`SELECT ${publicNamesKey} AS secret`))?.secret ?? null;

/** Creates the key, once for the site. */
export async function preparePublicNames(db: Database): Promise<void> {
  if ((await readKey(db)) !== null) return;
  await db.transaction((tx) =>
    tx.run(sql`
      INSERT INTO public_name_keys (purpose, secret) VALUES ('pictures', ${generateSecret()})
      ON CONFLICT (purpose) DO NOTHING`),
  );
}

/**
 * A name by which everyone may know something that is made from private bytes: for a tag, or for the version in a URL. It
 * changes with the bytes, but without the key it cannot be computed from them, so nobody can test a guess of what they
 * contain. `of` says what the name is for: two records with the same bytes have different names.
 */
export function publicName(key: string | null, of: string, sha256: string): string {
  // A command may read records before a server has created the key: then nobody reads the name.
  return key === null ? "" : keyedHash(key, `${of}:${sha256}`).slice(0, 22);
}

export async function findPublicName(db: Reader, of: string, sha256: string): Promise<string> {
  return publicName(await readKey(db), of, sha256);
}

/** Tells the site from others, as long as it lives: also a site that was made of its export. Null before a server has run. */
export const findSiteID = async (db: Reader): Promise<string | null> =>
  (await findPublicName(db, "site", "export")) || null;
