import { generateSecret, removePrivateFile, writePrivateFile } from "../../platform/data-directory.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import { readSetting, storeSetting } from "../../platform/database/settings.ts";
import { isSameSecret } from "../../platform/secrets.ts";
import type { Credentials } from "./sign-in.ts";
import { hashNewPassword } from "./new-password.ts";
import { hasAdmin, insertLocked, lockUsers, setupKeyName } from "./store.ts";
import type { User } from "./user.ts";

/**
 * The key with which the first admin is created, or null if there is an admin. It is created once, in the database, so that
 * all copies of the program have the same. A file in the data directory has it, too, for people.
 */
export async function prepareSetupKey(db: Database, dataDir: string): Promise<string | null> {
  const known = await readSetting(db, setupKeyName);
  const key = (await hasAdmin(db)) ? null : (known ?? (await db.transaction(readOrCreateKey)));
  if (key) await writePrivateFile(dataDir, setupKeyName, `${key}\n`);
  else removeKeyFile(dataDir);
  return key;
}

async function readOrCreateKey(tx: Queries): Promise<string | null> {
  await lockUsers(tx);
  if (await hasAdmin(tx)) return null;
  const known = await readSetting(tx, setupKeyName);
  if (known) return known;
  const created = generateSecret();
  await storeSetting(tx, setupKeyName, created);
  return created;
}

export function removeKeyFile(dataDir: string): void {
  removePrivateFile(dataDir, setupKeyName);
}

export async function isSetupKey(db: Reader, key: string | undefined): Promise<boolean> {
  const known = await readSetting(db, setupKeyName);
  return known !== null && key !== undefined && isSameSecret(key, known) && !(await hasAdmin(db));
}

/**
 * Creates the first admin. Returns null if the key is not, or no longer, valid. `also` runs in the same transaction. Throws
 * if the name is taken, or the password is weak, also because of the name that the site gets.
 */
export async function addFirstAdmin(
  db: Database,
  key: string | undefined,
  { username, password, siteName }: Credentials & { siteName: string },
  also: (tx: Queries, admin: User) => Promise<void>,
): Promise<User | null> {
  if (!(await isSetupKey(db, key))) return null;
  const hashed = await hashNewPassword(db, { siteName }, { username, password, role: "admin" });
  return db.transaction(async (tx) => {
    await lockUsers(tx);
    // Another request may have used the key in the meantime.
    if (!(await isSetupKey(tx, key))) return null;
    const admin = await insertLocked(tx, { name: username, password: hashed, role: "admin", action: "created" });
    await also(tx, admin);
    return admin;
  });
}
