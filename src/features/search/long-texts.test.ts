// Runs only with TEST_LONG: it searches texts of millions of characters.
// Runs on other engines only with TEST_LONG: what is made from a text does not depend on the engines.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { engineEnv, isScaled } from "../../../tests/kit/engine.ts";
import { hostileQueries, hostileText } from "../../../tests/kit/hostile-search.ts";
import { countTurns } from "../../../tests/kit/event-loop.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { worstStrings } from "../../../tests/kit/worst-strings.ts";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import { kindsOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { fillDocument, indexRecord, listUnread, splitTexts } from "../../platform/search/documents.ts";
import { findDocuments } from "../../platform/search/find.ts";
import { parseQuery } from "../../platform/search/query.ts";
import { indexMissing } from "./index-missing.ts";
import { indexWaiting } from "./index-records.ts";
import { createSearch } from "./results.ts";
import type { SearchQuery } from "./schemas.ts";
import { isLong } from "../../../tests/kit/long.ts";

const kinds = kindsOf(modules);

const posts = isLong ? 20 : 5;
const length = 500_000;
/** The same database as the server's. */
let db: Database;
afterAll(() => db.close());
const server = useServer();
const { guest } = server;
const owner = server.person("owner");

beforeAll(async () => {
  db = await openDatabase(readConfig({ DATA_DIR: server.dataDir, ...(await engineEnv(server.dataDir)) }));
  const content = hostileText(length);
  for (let number = 0; number < posts; number++) await write("Alphabet", content);
  await indexWaiting(db, kinds, new AbortController().signal);
});

const write = async (title: string, content: string) => (await owner.post("/api/v1/blog", { title, content })).body;
const search = async (q: string, more = "") =>
  (await guest.get(`/api/v1/search?q=${encodeURIComponent(q.slice(0, 200))}${more}`)).body as any[];
const titles = async (q: string) => (await search(q)).map(({ title }) => title);
/** A search waits for the index, but not for long: on a busy machine the next one finds it. */
const titlesSoon = async (q: string) => {
  for (let attempts = 0; attempts < 100; attempts++) {
    const found = await titles(q);
    if (found.length > 0) return found;
  }
  return [];
};

describe("a search over long texts", () => {
  test.each(Object.entries(hostileQueries))(
    "finds nothing by %s, and others are served meanwhile",
    async (_name, q) => {
      let done = 0;
      const began = process.cpuUsage();
      const searches = Array.from({ length: 8 }, () => search(q).then((found) => (done++, found)));
      await guest.get("/livez");
      // Unless the searches were so quick that there was nothing to wait for.
      if (process.cpuUsage(began).user > 500_000) expect(done).toBeLessThan(searches.length);
      expect(await Promise.all(searches)).toEqual(searches.map(() => []));
    },
  );

  test("gives the event loop a turn for each of them", async () => {
    const letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    const turns = await countTurns(async () => {
      expect(await searchFor(db, { q: letters, kind: undefined, limit: 5 })).toHaveLength(5);
    });
    expect(turns).toBeGreaterThan(posts);
  });

  test("returns what it has found when its time is over", async () => {
    const wanted = { query: parseQuery("flamingo"), kind: undefined, viewerID: null, isAdmin: false };
    await db.transaction(async (tx) => {
      for (let id = 1; id <= 250; id++)
        await indexRecord(tx, "file", { id: 1e9 + id, ownerID: 1 }, { title: "flamingo", text: "" });
    });
    await indexWaiting(db, kinds, new AbortController().signal);
    const countUntil = async (until: number) =>
      (await Array.fromAsync(findDocuments(db, wanted, { field: "everything", until }))).length;
    expect(await countUntil(0)).toBeWithin(1, 250);
    expect(await countUntil(Number.POSITIVE_INFINITY)).toBe(250);
  });

  test("finds phrases anywhere in them, and words by any of their beginnings", async () => {
    await write("Spit", `${"the water and ".repeat(14_000)} the lighthousekeeper stands`);
    for (const q of [
      `"water and the lighthousekeeper stands"`,
      "li",
      "lig",
      "ligh",
      "light",
      "lighth",
      "lighthousekeep",
    ]) {
      expect([q, await titlesSoon(q)]).toEqual([q, ["Spit"]]);
    }
    for (const q of [`"the lighthouse"`, `"water the"`, "lighthousekeeping", "lightning"]) {
      expect([q, await titles(q)]).toEqual([q, []]);
    }
  });
});

describe("a long text", () => {
  test("is found right after it was written, and by nothing that it no longer has", async () => {
    const filler = "東京塔夜景橋川山海空".repeat(10_000);
    const post = await write("Cormorant", `kittiwake ${filler}`);
    expect(await titlesSoon("kittiwake")).toEqual(["Cormorant"]);
    await owner.put(`/api/v1/blog/${post.id}`, { content: `guillemot ${filler}` });
    expect(await titles("kittiwake")).toEqual([]);
    expect(await titlesSoon("guillemot 東京塔")).toEqual(["Cormorant"]);
    await owner.put(`/api/v1/blog/${post.id}`, { content: "razorbill" });
    expect(await titles("guillemot")).toEqual([]);
    expect(await titles("razorbill")).toEqual(["Cormorant"]);
  });

  test.each(Object.entries(worstStrings))("of %s is written, indexed and found by its title", async (name, toText) => {
    const { status } = await owner.post("/api/v1/blog", { title: `Dotterel ${name}`, content: toText(length - 2) });
    expect(status).toBe(201);
    expect(await titles(`"dotterel ${name}"`)).toEqual([`Dotterel ${name}`]);
  });

  test("is split while the event loop turns", async () => {
    const text = "漢".repeat(length);
    const turns = await countTurns(() => splitTexts({ title: "", text, ownText: text, ownerID: 1, isPrivate: false }));
    expect(turns).toBeGreaterThan(20);
  });

  test("is read again when it was changed while it was read", async () => {
    const { id } = await write("Phalarope", "é ".repeat(10_000));
    const isThis = ({ recordID, kind }: { recordID: number; kind: string }) => recordID === id && kind === "post";
    const before = (await listUnread(db, 100)).find(isThis);
    await owner.put(`/api/v1/blog/${id}`, { content: `whinchat ${"é ".repeat(10_000)}` });
    const old = { title: " phalarope ", text: " old ", own: null, ownerID: null, isPrivate: false };
    // Where the server's own job was faster, there is nothing left to write over.
    if (before) await db.transaction((tx) => fillDocument(tx, before, old));
    expect(await titlesSoon("whinchat")).toEqual(["Phalarope"]);
  });

  test("is forgotten while it is in the trash unread, and found when it is back", async () => {
    const { id } = await write("Wheatear", `stonechat ${"é ".repeat(10_000)}`);
    await owner.delete(`/api/v1/blog/${id}`);
    expect(await titles("stonechat")).toEqual([]);
    const [{ id: entry }] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry}/restore`);
    await indexMissing(db, kinds);
    expect(await titlesSoon("stonechat")).toEqual(["Wheatear"]);
  });
});

test("searches of one client wait for each other, and those of others do not", async () => {
  const { list } = createSearch(db, kinds);
  const ended: string[] = [];
  const searchAs = async (address: string) => {
    const query = { q: Object.values(hostileQueries)[0] ?? "", kind: undefined, limit: 5 };
    await Array.fromAsync(list(query, { viewer: null, address }));
    ended.push(address);
  };
  const hasty = Array.from({ length: 5 }, () => searchAs("203.0.113.1"));
  await Promise.all([...hasty, searchAs("203.0.113.2")]);
  expect(ended.indexOf("203.0.113.2")).toBeLessThan(3);
});

describe("among very many documents", () => {
  const fillers = 20_000;

  beforeAll(async () => {
    await owner.post("/api/v1/albums", { name: "Ostrich, egret, ibis" });
    await owner.post("/api/v1/albums", { name: "Egret and ibis" });
    const words = [" ostrich egret ", " egret ibis ", " ibis ostrich "];
    for (let first = 1; first <= fillers; first += 1000) {
      await db.transaction(async (tx) => {
        for (let number = first; number < first + 1000; number++) {
          const title = words[number % 3] as string;
          await tx.run(sql`
            INSERT INTO documents (kind, record_id, title_words, text_words) VALUES ('file', ${2e9 + number}, ${title}, ' ')`);
        }
      });
    }
    await indexWaiting(db, kinds, new AbortController().signal);
  });

  test("an old one is found by common words", async () => {
    expect(await titles("ostrich egret ibis")).toEqual(["Ostrich, egret, ibis"]);
    expect(await search("egret ibis", "&kind=album")).toHaveLength(2);
  });

  test("an old one is found by a rare word, and by its title", async () => {
    expect(await titles("egret and ibi")).toEqual(["Egret and ibis"]);
    expect((await titles("egret and ibis"))[0]).toBe("Egret and ibis");
  });

  test.skipIf(isScaled)("the event loop turns between blocks of them", async () => {
    const turns = await countTurns(() => searchFor(db, { q: "ostrich egret ibis none", kind: undefined, limit: 5 }));
    const common = await countTurns(() => searchFor(db, { q: "ostrich egret ibis", kind: "album", limit: 5 }));
    expect(common).toBeGreaterThan(turns);
  });
});

async function searchFor(db: Database, query: SearchQuery) {
  return (await Array.fromAsync(createSearch(db, kinds).list(query, { viewer: null, address: "" }))).flat();
}
