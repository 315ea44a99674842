import { Database as Sqlite } from "bun:sqlite";
import { SQL } from "bun";
import { join } from "node:path";
import { doctorCommand } from "../../src/commands/doctor.ts";
import { readConfig } from "../../src/config.ts";
import { peekDatabase } from "../../src/engines.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { raw } from "../../src/platform/database/sql.ts";
import { engineEnv } from "./engine.ts";
import { png } from "./files/png.ts";
import { person } from "./people.ts";
import { startServer } from "./server.ts";

const api = "/api/v1";

export type Environment = Record<string, string>;
type Found = { severity: string; where: string; what: string; repair: string; canFix: boolean };
export type Report = { code: number; findings: Found[]; fixed: string[]; site: Record<string, unknown> | null };

/** Runs the command in this process, and reads its JSON. */
export async function examine(env: Environment, options: Record<string, string> = {}): Promise<Report> {
  const log = console.log;
  let printed = "";
  console.log = (line: string) => void (printed += line);
  try {
    const call = { config: readConfig(env), schema: schemaOf(modules), options: { json: "", ...options } };
    const code = await doctorCommand(modules).run(call as never);
    return { code, ...(JSON.parse(printed) as Omit<Report, "code">) };
  } finally {
    console.log = log;
  }
}

/** A site with something of everything, in this directory. No server is running. */
export async function makeSite(dataDir: string): Promise<Environment> {
  const server = await startServer({ DATA_DIR: dataDir });
  const ada = await person(server, "ada");
  const { body: file } = await ada.upload("harbour.png", png(20, 10), { path: "/2026/june" });
  await ada.upload("harbour.png", png(30, 10), { path: "/2026/june", onConflict: "replace" });
  const { body: photo } = await ada.post(`${api}/photos`, {
    title: "Harbour",
    fileID: file.id,
    tags: ["Sea"],
    takenAt: "2026-06-01T10:00:00.000Z",
    place: { latitude: 38.7071, longitude: -9.1355 },
    showLocation: true,
  });
  const { body: post } = await ada.post(`${api}/blog`, {
    title: "A walk",
    content: `To the lighthouse. ![](/photos/${photo.id})`,
    tags: ["walks"],
  });
  await ada.put(`${api}/blog/${post.id}`, { content: "To the other lighthouse." });
  await ada.post(`${api}/comments`, { blogPostID: post.id, content: "Nice." });
  const { body: album } = await ada.post(`${api}/albums`, { name: "Coast" });
  await ada.post(`${api}/albums/${album.id}/photos/${photo.id}`);
  const { body: gone } = await ada.post(`${api}/blog`, { title: "Gone", content: "x" });
  await ada.delete(`${api}/blog/${gone.id}`);
  await server.close();
  return { ...(await engineEnv(dataDir)), DATA_DIR: dataDir };
}

/** Changes rows as nothing in the program could. */
export async function change({ DATABASE_URL, DATA_DIR = "" }: Environment, statement: string): Promise<void> {
  if (DATABASE_URL) {
    const database = new SQL(DATABASE_URL, { max: 1 });
    await database.unsafe(`SET session_replication_role = replica; ${statement}`);
    await database.close();
    return;
  }
  const database = new Sqlite(join(DATA_DIR, "vitrine.db"));
  database.run("PRAGMA foreign_keys = OFF");
  database.run("PRAGMA ignore_check_constraints = ON");
  database.run(statement);
  database.close();
}

export type Row = Record<string, string | number | null>;
export const read = (env: Environment, text: string) => peekDatabase(readConfig(env), (db) => db.all<Row>(raw(text)));
