import { orderKey } from "../../src/content/files/names.ts";
import { joined, sql } from "../../src/platform/database/sql.ts";
import type { Client } from "../kit/client.ts";
import { type TestServer, withDatabase } from "../kit/server.ts";

const api = "/api/v1";

/** A directory with this many files, written into the database because that takes a second instead of minutes. */
export async function addLargeFolder(server: TestServer, owner: Client, name: string, count: number): Promise<void> {
  const { body: folder } = await owner.post(`${api}/directories`, { name });
  await withDatabase(server, (db) =>
    db.transaction(async (tx) => {
      for (let start = 0; start < count; start += 500) {
        const rows = Array.from({ length: Math.min(500, count - start) }, (_, index) => {
          const file = `file ${start + index + 1}.txt`;
          const keys = sql`${file}, ${file}, ${orderKey(file, false)}`;
          return sql`(${folder.id}, ${owner.userID}, ${start + index}, 1, 1, ${"ab".repeat(32)}, 'text/plain', ${keys})`;
        });
        await tx.run(sql`
          INSERT INTO files (parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)
          VALUES ${joined(rows)}`);
      }
    }),
  );
}

/** A directory with 2,000 files in directories, which the server copies from twenty. */
export async function addDeepFolder(owner: Client, name: string): Promise<{ id: number }> {
  for (let number = 1; number <= 20; number++) {
    await owner.upload(`note ${number}.txt`, `Note ${number}`, { path: `/${name}/week/day` });
  }
  const { body: day } = await owner.get(`${api}/files?path=/${name}/week`);
  for (let copies = 0; copies < 9; copies++)
    await owner.post(`${api}/files/${day[0].id}/copy`, { path: `/${name}/week` });
  const { body: week } = await owner.get(`${api}/files?path=/${name}`);
  for (let copies = 0; copies < 9; copies++) await owner.post(`${api}/files/${week[0].id}/copy`, { path: `/${name}` });
  const { body: entries } = await owner.get(`${api}/files`);
  return entries.find((entry: { name: string }) => entry.name === name);
}
