// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
// Runs on the embedded engines only: for a damaged PostgreSQL, there are its own tools.
import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { type Salvaged, salvageDatabase } from "../../src/platform/database/salvage.ts";
import { openSqlite } from "../../src/platform/database/sqlite.ts";
import { damagePages, mapPages, type PageMap, randomFrom } from "../kit/bad-pages.ts";
import { type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { fillLargeSite } from "../sql/large-site.ts";
import { isLong } from "../kit/long.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";

const scratch = useScratch();

const schema = schemaOf(modules);

describe("a database with bad pages", () => {
  const whole = join(scratch, "whole.db");
  let map: PageMap;
  beforeAll(async () => {
    // Without the schema of the modules: derived values do not matter here.
    const db = await openSqlite(whole);
    await fillLargeSite(db);
    await db.close();
    const raw = new Sqlite(whole);
    raw.run(
      "UPDATE posts SET content = (SELECT group_concat(id || ' ' || title) FROM photos WHERE id < 900) WHERE id % 40 = 0",
    );
    raw.run("UPDATE photos SET description = 'A description of the photo ' || id || ' that is a little longer'");
    // Rows that were deleted stay on unused pages.
    raw.run("DELETE FROM activity WHERE id % 3 = 0");
    raw.run("DELETE FROM photo_lists");
    raw.run("DELETE FROM photos WHERE id > 4500");
    raw.run("DELETE FROM posts WHERE id BETWEEN 900 AND 1100");
    raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
    raw.close();
    map = mapPages(whole);
    for (const [kind, pages] of Object.entries(map.byKind)) expect([kind, pages.length]).not.toEqual([kind, 0]);
  });

  const readTable = (database: Sqlite, table: string) =>
    new Map(
      database
        .query<{ rowid_: number }, []>(`SELECT rowid AS rowid_, * FROM "${table}"`)
        .all()
        .map(({ rowid_, ...row }) => [rowid_, JSON.stringify(row)]),
    );

  /** Compares a salvaged database with the undamaged one. */
  function compare(path: string, bad: number[], salvaged: Salvaged[]): void {
    const [before, after] = [whole, path].map((one) => new Sqlite(one, { readonly: true })) as [Sqlite, Sqlite];
    for (const { table, lost, doubtful } of salvaged) {
      const [there, saved] = [readTable(before, table), new Set(readTable(after, table).values())];
      const originals = new Set(there.values());
      expect([table, [...saved].filter((row) => !originals.has(row))]).toEqual([table, []]);
      const wrong: string[] = [];
      for (const [rowid, row] of there) {
        if (saved.has(row)) continue;
        const pages = map.rows.get(table)?.get(rowid) ?? [];
        if (!pages.some((page) => bad.includes(page))) wrong.push(`${rowid} is on ${pages.join()} and was not saved`);
        const isDoubtful = doubtful.some(({ low, high }) => rowid > low && rowid <= high);
        if (!lost.has(rowid) && !isDoubtful) wrong.push(`${rowid} is missing and was not listed`);
      }
      expect([table, wrong]).toEqual([table, []]);
    }
    before.close();
    after.close();
  }

  const rounds = Number(process.env.RESCUE_ROUNDS ?? (process.env.TEST_LONG ? 300 : 3));
  test.skipIf(!isLong)(
    "is read past five of them: all rows of other pages, no others, and a list of those that are missing",
    async () => {
      const kinds = Object.keys(map.byKind);
      let lost = 0;
      for (let seed = 1; seed <= rounds; seed++) {
        const random = randomFrom(seed);
        const bad = Array.from({ length: 5 }, (_, index) => {
          // Every kind of page has its turn; the others are any pages.
          const pages = map.byKind[kinds[(seed + index) % kinds.length] as string] as number[];
          return index < 3 ? (pages[random(pages.length)] as number) : 1 + random(statSync(whole).size / 4096);
        });
        const damaged = join(scratch, "damaged.db");
        const target = join(scratch, `salvaged-${seed}.db`);
        damagePages(whole, damaged, bad, random);
        const hash = Bun.hash(readFileSync(damaged));
        const salvaged = await salvageDatabase(damaged, target, schema);
        try {
          compare(target, bad, salvaged);
        } catch (error) {
          throw new Error(`seed ${seed}, pages ${bad.join()}: ${(error as Error).message}`, { cause: error });
        }
        lost += salvaged.reduce((sum, one) => sum + one.lost.size, 0);
        expect(Bun.hash(readFileSync(damaged))).toBe(hash);
        rmSync(target);
      }
      expect(lost).toBeGreaterThan(rounds);
    },
  );
});

describe("vitrine rescue", () => {
  const whole = join(scratch, "site");
  let token: string;
  let map: PageMap;
  beforeAll(async () => {
    const server = await startVitrine({
      DATA_DIR: whole,
      RATE_LIMIT_PER_SECOND: "1000000",
      RATE_LIMIT_BURST: "1000000",
    });
    await client(server).post("/signup", { username: "Ada", password });
    token = (await client(server).post("/signin", { username: "ada", password })).body.token;
    await fillSite(client(server, token));
    await server.close();
    expect(readdirSync(whole)).not.toContain("vitrine.db-wal");
    map = mapPages(join(whole, "vitrine.db"));
  });

  /** The site with these pages overwritten, and what the command made of it. */
  async function rescue(name: string, bad: number[], seed = 1) {
    const damaged = join(scratch, `${name}-damaged`);
    const to = join(scratch, `${name}-rescued`);
    cpSync(whole, damaged, { recursive: true });
    damagePages(join(whole, "vitrine.db"), join(damaged, "vitrine.db"), bad, randomFrom(seed));
    return { damaged, to, ...(await runVitrine(["rescue", to, "--data", damaged], {})) };
  }

  const readAll = (path: string, table: string) => {
    const database = new Sqlite(join(path, "vitrine.db"), { readonly: true });
    const rows = database.query<Record<string, unknown>, []>(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
    database.close();
    return rows;
  };

  test("copies an undamaged site whole, with its secret, its settings and its files as links", async () => {
    const { code, stdout, stderr, to } = await rescue("undamaged", []);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Nothing is missing.");
    for (const table of [
      "users",
      "files",
      "photos",
      "posts",
      "comments",
      "albums",
      "album_photos",
      "trash",
      "activity",
    ])
      expect([table, readAll(to, table)]).toEqual([table, readAll(whole, table)]);
    expect(readFileSync(join(to, "jwt-secret"), "utf8")).toBe(readFileSync(join(whole, "jwt-secret"), "utf8"));
    expect(readdirSync(to)).not.toContain(".rescue.db");
    const [hash = ""] = readAll(to, "files").flatMap(({ sha256 }) => (typeof sha256 === "string" ? [sha256] : []));
    expect(statSync(join(to, "blobs", hash.slice(0, 2), hash)).nlink).toBe(2);
    expect(await runVitrine(["doctor", "--hash"], { DATA_DIR: to })).toMatchObject({ code: 0, stderr: "" });
    await using server = await startVitrine({ DATA_DIR: to });
    const ada = client(server, token);
    expect((await ada.get("/api/v1/storage")).status).toBe(200);
    expect((await ada.post("/api/v1/albums", { name: "New" })).body.id).toBe(readAll(whole, "albums").length + 1);
    expect((await client(server).get("/api/v1/search?q=lighthouse")).body.length).toBeGreaterThan(0);
  });

  const pagesOf = (table: string) => [...new Set([...(map.rows.get(table)?.values() ?? [])].flat())];

  test("makes a consistent site of one with five bad pages, and says what is missing", async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = randomFrom(seed);
      const { leaf = [], index = [], schema: ofSchema = [] } = map.byKind;
      const any = (pages: number[]) => pages[random(pages.length)] as number;
      // Whatever else is hit, a record is lost: many tables only have what can be made again.
      const bad = [any(pagesOf("posts")), any(leaf), any(leaf), any(index), seed === 1 ? 1 : any(ofSchema)];
      const { code, stdout, stderr, to } = await rescue(`five-${seed}`, bad, seed);
      expect([seed, code, stderr]).toEqual([seed, 1, ""]);
      const checked = await runVitrine(["doctor", "--hash"], { DATA_DIR: to });
      expect([seed, bad, checked, stdout]).toEqual([
        seed,
        bad,
        { code: 0, stdout: expect.any(String), stderr: "" },
        stdout,
      ]);
    }
  });

  test("keeps what a lost user owns, lost directories and what is known of lost files", async () => {
    const { code, stdout, stderr, to } = await rescue("users", [
      ...pagesOf("users"),
      ...pagesOf("trash"),
      pagesOf("files")[0] as number,
    ]);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain('users: lost, and replaced by what is known of it: 1 ("ada")');
    for (const table of ["photos", "posts", "comments", "albums"])
      expect([table, readAll(to, table)]).toEqual([table, readAll(whole, table)]);
    const contents = (path: string) =>
      readAll(path, "files").map(({ id, sha256, parent_id }) => ({ id, sha256, parent_id }));
    expect(contents(to)).toEqual(contents(whole));
    // What was lost may have been private.
    const changed = readAll(to, "files").filter((row, index) => row.name !== readAll(whole, "files")[index]?.name);
    expect(changed.every((row) => row.is_private === 1)).toBe(true);
    expect(await runVitrine(["doctor", "--hash"], { DATA_DIR: to })).toMatchObject({ code: 0, stderr: "" });
  });

  test("keeps a post of which some bytes are no text, and names it", async () => {
    const damaged = join(scratch, "text-damaged");
    const to = join(scratch, "text-rescued");
    cpSync(whole, damaged, { recursive: true });
    const path = join(damaged, "vitrine.db");
    const bytes = readFileSync(path);
    type Post = { id: number; title: string; content: string };
    const posts = readAll(whole, "posts") as Post[];
    const [short, long] = [posts[1], posts[10]] as [Post, Post];
    for (const { id, content } of [short, long]) {
      const [page = 0] = map.rows.get("posts")?.get(id) ?? [];
      const at = bytes.indexOf(content.slice(0, 40), (page - 1) * 4096);
      bytes[at + 2] = 0;
      bytes[at + 7] = 0xff;
    }
    writeFileSync(path, bytes);
    const { code, stdout } = await runVitrine(["rescue", to, "--data", damaged], {});
    for (const { id, title } of [short, long])
      expect(stdout).toContain(`posts: damaged, with U+FFFD for what is no text in content: ${id} ("${title}")\n`);
    expect(code).toBe(1);
    const expected = posts.map((post) =>
      post.id === short.id || post.id === long.id
        ? { ...post, content: post.content.replace(/^(..).(....)./, "$1\ufffd$2\ufffd") }
        : post,
    );
    expect(readAll(to, "posts")).toEqual(expected);
    expect(await runVitrine(["doctor", "--hash"], { DATA_DIR: to })).toMatchObject({ code: 0, stderr: "" });
  });

  test("names files that are missing or damaged", async () => {
    const damaged = join(scratch, "blobs-damaged");
    const to = join(scratch, "blobs-rescued");
    cpSync(whole, damaged, { recursive: true });
    const hashes = readAll(whole, "files").flatMap(({ sha256 }) => (typeof sha256 === "string" ? [sha256] : []));
    const place = (hash: string) => join(damaged, "blobs", hash.slice(0, 2), hash);
    const [gone = "", other = ""] = hashes;
    rmSync(place(gone));
    writeFileSync(place(other), "other bytes");
    const { code, stdout } = await runVitrine(["rescue", to, "--data", damaged], {});
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^missing: ${gone} \\(file \\d+`, "m"));
    expect(stdout).toMatch(new RegExp(`^damaged: ${other} \\(file \\d+`, "m"));
    expect(stdout).toContain(" files were copied, 2 are missing or damaged.");
  });

  test("refuses a directory that is not empty, one without a database, and PostgreSQL", async () => {
    const refuse = async (words: string[], env: Record<string, string>, sentence: RegExp) => {
      const { code, stdout, stderr } = await runVitrine(words, env);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(sentence);
    };
    await refuse(["rescue", whole, "--data", whole], {}, /^vitrine: .* is not empty: choose an empty directory\.\n$/);
    const empty = newDirectory(scratch);
    await refuse(["rescue", join(scratch, "x"), "--data", empty], {}, /^vitrine: There is no database in /);
    const env = { DATABASE_URL: "postgres://127.0.0.1:1/none", STORAGE_URL: "", DATA_DIR: empty };
    await refuse(["rescue", join(scratch, "x")], env, /^vitrine: The database is in PostgreSQL: /);
  });
});

/** Records of all kinds, some of them in the trash, private or in private directories. */
async function fillSite(ada: Client): Promise<void> {
  const photos: number[] = [];
  for (let number = 0; number < 60; number++) {
    const path = `/2026/${number % 4 === 0 ? "Private" : "june"}`;
    const { body: file } = await ada.upload(`Harbour ${number}.png`, png(20 + number, 10), { path });
    const { body: photo } = await ada.post("/api/v1/photos", {
      title: `Harbour ${number}`,
      fileID: file.id,
      tags: ["sea"],
    });
    photos.push(photo.id);
  }
  for (let number = 0; number < 60; number++) {
    const content = `To the lighthouse. ${crypto.randomUUID()} `.repeat(number % 10 === 0 ? 300 : 5);
    const { body: post } = await ada.post("/api/v1/blog", {
      title: `Post ${number}`,
      content,
      coverID: photos[number] ?? null,
    });
    await ada.post("/api/v1/comments", { blogPostID: post.id, content: `Nice ${number}.` });
  }
  for (let number = 0; number < 10; number++) {
    const { body: album } = await ada.post("/api/v1/albums", { name: `Coast ${number}` });
    for (const photo of photos.slice(number, number + 5)) await ada.post(`/api/v1/albums/${album.id}/photos/${photo}`);
  }
  for (const path of [`photos/${photos[3]}?withFile=true`, `photos/${photos[4]}`, "blog/7", "comments/9", "albums/2"])
    expect((await ada.delete(`/api/v1/${path}`)).status).toBe(200);
}
