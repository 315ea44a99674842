import type { Database, Reader, Statements } from "./database.ts";
import { sql } from "./sql.ts";

export async function readSetting(db: Reader, name: string): Promise<string | null> {
  return (await db.get<{ value: string }>(sql`SELECT value FROM settings WHERE name = ${name}`))?.value ?? null;
}

/** The value that all copies of the program share. The first copy that needs it creates it. */
export async function readOrCreateSetting(db: Database, name: string, make: () => string): Promise<string> {
  const value = await db.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO settings (name, value) VALUES (${name}, ${make()}) ON CONFLICT (name) DO NOTHING`);
    return readSetting(tx, name);
  });
  return value as string;
}

export async function writeSetting(db: Database, name: string, value: string): Promise<void> {
  await db.transaction((tx) => storeSetting(tx, name, value));
}

export async function storeSetting(tx: Statements, name: string, value: string): Promise<void> {
  await tx.run(sql`
    INSERT INTO settings (name, value) VALUES (${name}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
}

export async function removeSetting(db: Database, name: string): Promise<void> {
  await db.transaction((tx) => dropSetting(tx, name));
}

/** Unless somebody has written another value meanwhile. */
export async function removeUnchanged(db: Database, name: string, value: string): Promise<void> {
  await db.transaction((tx) => tx.run(sql`DELETE FROM settings WHERE name = ${name} AND value = ${value}`));
}

export async function dropSetting(tx: Statements, name: string): Promise<void> {
  await tx.run(sql`DELETE FROM settings WHERE name = ${name}`);
}
