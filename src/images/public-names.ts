import { generateSecret } from "../platform/data-directory.ts";
import type { Database, Reader } from "../platform/database/database.ts";
import { readOrCreateSetting, readSetting, settingValue } from "../platform/database/settings.ts";
import type { Sql } from "../platform/database/sql.ts";
import { keyedHash } from "../platform/secrets.ts";

const settingName = "public-names";

/** SQL for the key of public names, which all copies of the server share. */
export const publicNamesKey: Sql = settingValue(settingName);

/** Creates the key, once for the site. */
export async function preparePublicNames(db: Database): Promise<void> {
  if ((await readSetting(db, settingName)) === null) await readOrCreateSetting(db, settingName, generateSecret);
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
  return publicName(await readSetting(db, settingName), of, sha256);
}
