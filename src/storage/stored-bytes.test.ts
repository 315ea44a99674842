import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFilmFile } from "../../tests/films.ts";
import { type Client, person, png, startServer, type TestServer, withDatabase } from "../../tests/kit.ts";
import { sql } from "../platform/database/sql.ts";
import { readUsage } from "./quota.ts";
import { storedBytes } from "./stored-bytes.ts";

const api = "/api/v1";
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ FFMPEG: "off", VERSIONS_KEPT: "1" });
});
afterAll(() => server.close());

const stored = ({ userID }: Client) => withDatabase(server, async (db) => (await readUsage(db, userID))?.stored);
const differences = () => withDatabase(server, storedBytes.rebuild);

test("the stored bytes are those of files, their versions and posters, until they are gone for good", async () => {
  const who = await person(server, "owner");
  const film = readFilmFile("plain.mp4");
  const [first, second] = [png(2, 2), png(4, 4)];
  const { body: file } = await who.upload("film.mp4", film, { path: "/a" });
  const { body: photo } = await who.post(`${api}/photos`, { title: "Film", fileID: file.id });
  expect(await stored(who)).toBe(film.length);

  for (const poster of [first, second]) await who.request("PUT", `${api}/photos/${photo.id}/poster`, { body: poster });
  expect(await stored(who)).toBe(film.length + second.length);
  await who.put(`${api}/photos/${photo.id}`, { title: "Another title" });
  await who.delete(`${api}/photos/${photo.id}/poster`);

  const { body: text } = await who.upload("text.txt", "12345", { path: "/a" });
  for (const body of ["1234567", "123"]) await who.request("PUT", `${api}/files/${text.id}/content`, { body });
  // One version is kept.
  expect(await stored(who)).toBe(film.length + 7 + 3);

  const [directory] = (await who.get(`${api}/files`)).body;
  await who.post(`${api}/files/${directory.id}/copy`, { path: "/b" });
  expect(await stored(who)).toBe(2 * film.length + 7 + 3 + 3);
  expect(await differences()).toBe(0);

  await who.delete(`${api}/files/${directory.id}`);
  expect(await stored(who)).toBe(2 * film.length + 7 + 3 + 3);
  await who.delete(`${api}/trash`);
  expect(await stored(who)).toBe(film.length + 3);
  expect(await differences()).toBe(0);
});

test("reading what an owner has stored takes as long with many files as with few", async () => {
  const who = await person(server, "collector");
  await withDatabase(server, async (db) => {
    const measure = async () => {
      const before = process.cpuUsage();
      for (let count = 0; count < 300; count++) await readUsage(db, who.userID);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await measure();
    const few = await measure();
    await db.transaction((tx) =>
      tx.run(sql`
        INSERT INTO files (parent_id, owner_id, name, name_key, order_key, sha256, size, content_type, created_at, updated_at)
        SELECT 0, ${who.userID}, 'many-' || n, 'many-' || n, 'many-' || n, 'x', 10, 'text/plain', 1, 1
        FROM (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
          SELECT n FROM numbers) AS numbers`),
    );
    expect((await readUsage(db, who.userID))?.stored).toBe(200_000);
    expect((await measure()) / few).toBeLessThan(5);
  });
}, 60_000);
