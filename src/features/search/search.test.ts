import { beforeAll, describe, expect, test } from "bun:test";
import { engineEnv } from "../../../tests/kit/engine.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import { kindsOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { indexRecord, type Texts } from "../../platform/search/documents.ts";
import { photoTexts } from "../../content/photos/photo.ts";
import { indexMissing } from "./index-missing.ts";

const kinds = kindsOf(modules);

let photo: any;
let post: any;
let comment: any;
let album: any;
let file: any;

const server = useServer();
const people = server.people();
const { owner } = people;
beforeAll(async () => {
  const made = async (path: string, body: object) => (await owner.post(`/api/v1/${path}`, body)).body;
  ({ body: file } = await owner.upload("IMG_2034 velvet.png", png(2, 2), { path: "/Velvet drawer" }));
  photo = await made("photos", { title: "Velvet dusk", description: "A ferry to Málaga", fileID: file.id });
  post = await made("blog", { title: "Straße", content: "Velvet curtains at the opéra, and then a long way home." });
  comment = await made("comments", { content: "I like velvet, too.", blogPostID: post.id });
  album = await made("albums", { name: "Velvet, 2026" });
  await beside((db) => indexMissing(db, kinds));
});

/** What has to be done in the database itself is done beside the running server. */
async function beside(work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = await openDatabase(readConfig({ DATA_DIR: server.dataDir, ...(await engineEnv(server.dataDir)) }));
  await work(db);
  await db.close();
}

const ask = (q: string, more: Record<string, string> = {}, who = owner) =>
  who.get(`/api/v1/search?${new URLSearchParams({ q, ...more }).toString()}`);
const found = async (q: string, more: Record<string, string> = {}, who = owner) =>
  (await ask(q, more, who)).body.map(({ kind, id }: any) => `${kind} ${id}`);

describe("a search", () => {
  test("finds every kind of record, as its own endpoint returns it", async () => {
    const { body } = await ask("velvet");
    const records = Object.fromEntries(body.map((result: any) => [`${result.kind} ${result.id}`, result.record]));
    const { body: directory } = await owner.get("/api/v1/files/dir/Velvet drawer");
    const { body: listed } = await owner.get("/api/v1/files");
    expect(records).toEqual({
      [`photo ${photo.id}`]: (await owner.get(`/api/v1/photos/${photo.id}`)).body,
      [`post ${post.id}`]: (await owner.get("/api/v1/blog")).body[0],
      [`comment ${comment.id}`]: (await owner.get(`/api/v1/comments?blogPostID=${post.id}`)).body[0],
      [`album ${album.id}`]: (await owner.get("/api/v1/albums")).body[0],
      [`file ${file.id}`]: directory[0],
      [`file ${listed[0].id}`]: listed[0],
    });
  });

  test("answers the same to a guest, a stranger, the owner and an admin", async () => {
    const answers = await Promise.all(Object.values(people).map((who) => ask("velvet", {}, who)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test("can be for one kind, and for a few results", async () => {
    expect(await found("velvet", { kind: "photo" })).toEqual([`photo ${photo.id}`]);
    expect(await found("velvet", { kind: "file" })).toHaveLength(2);
    expect(await found("velvet", { kind: "album" })).toEqual([`album ${album.id}`]);
    expect(await found("photo")).toEqual([]);
    expect(await found("velvet", { limit: "2" })).toEqual((await found("velvet")).slice(0, 2));
  });

  test.each([
    ["velvet DUSK", "photo"],
    ["malaga", "photo"],
    ["MÁLAGA", "photo"],
    ["ma\u0301la", "photo"],
    ["strasse", "post"],
    ["STRAẞE", "post"],
    ["opera curtain", "post"],
    ["straße velvet", "post"],
    ["dus velv", "photo"],
    [`"velvet dusk"`, "photo"],
    [`"ferry to"`, "photo"],
    [`"ferry to mal`, "photo"],
    ["“Velvet dusk”", "photo"],
    ["img_2034", "file"],
    ["2034", "file"],
    ["IMG_2034 velvet.png", "file"],
    ["velvet.pn", "file"],
  ])("for %s finds a %s", async (q, kind) => {
    const expected: Record<string, any> = { photo, post, file };
    expect(await found(q)).toEqual([`${kind} ${expected[kind].id}`]);
  });

  test.each([
    "elvet",
    "velvet dawn",
    `"dusk velvet"`,
    `"velvet dus"`,
    `"ferry t"`,
    "v",
    "velvet.2034",
    "velvet dusk opera",
  ])("for %s finds nothing", async (q) => expect(await found(q)).toEqual([]));

  test("finds any part of a text in a script without spaces", async () => {
    const { body: tower } = await owner.post("/api/v1/albums", { name: "夜の東京タワーにて" });
    for (const q of ["東京", "京タワ", "タワーにて", "夜の東京タワーにて", "夜 東京"]) {
      expect([q, await found(q)]).toEqual([q, [`album ${tower.id}`]]);
    }
    for (const q of ["京東", "東タワ", "夜東"]) expect([q, await found(q)]).toEqual([q, []]);
  });

  test("takes numbers, signs and endless words as both engines do", async () => {
    const long = "q".repeat(3000);
    const { body: odd } = await owner.post("/api/v1/blog", {
      title: "2e5 -3 1.5 a_b 0x1F",
      content: `${long} x:y\\z'w`,
    });
    for (const q of ["2e5", "2e", `"3"`, "1.5", `"1 5"`, "a_b", "0x1f", "q".repeat(150), "x:y\\z'w", "x:y"]) {
      expect([q, await found(q)]).toEqual([q, [`post ${odd.id}`]]);
    }
    for (const q of ["200000", "5.1", "b_a", "z x"])
      expect([q, await found(q)]).toEqual([q, q === "z x" ? [`post ${odd.id}`] : []]);
  });

  test("follows what is changed", async () => {
    const { body: one } = await owner.post("/api/v1/albums", { name: "Before" });
    const { body: two } = await owner.post("/api/v1/blog", { title: "Before", content: "before" });
    const { body: three } = await owner.post("/api/v1/comments", { content: "before", blogPostID: two.id });
    expect(await found("before")).toHaveLength(3);
    await owner.put(`/api/v1/albums/${one.id}`, { name: "Afterwards" });
    await owner.put(`/api/v1/blog/${two.id}`, { title: "Afterwards", content: "x" });
    await owner.put(`/api/v1/comments/${three.id}`, { content: "afterwards" });
    expect(await found("before")).toEqual([]);
    expect(await found("afterwards")).toHaveLength(3);
  });

  test("knows what was changed several times since the last one, and what came and went meanwhile", async () => {
    const { body: album } = await owner.post("/api/v1/albums", { name: "Quixotic" });
    for (const name of ["Quixotic windmills", "Ropewalk", "Ropewalk at noon"]) {
      await owner.put(`/api/v1/albums/${album.id}`, { name });
    }
    expect(await found("ropewalk noon")).toEqual([`album ${album.id}`]);
    expect(await found("windmills")).toEqual([]);
    const { body: other } = await owner.post("/api/v1/albums", { name: "Gangplank" });
    await owner.delete(`/api/v1/albums/${other.id}`);
    await owner.delete("/api/v1/trash");
    expect(await found("gangplank")).toEqual([]);
  });

  test("reads the beginning of a text of any length, and phrases anywhere in it", async () => {
    const filler = "the water and ".repeat(2000);
    const content = `${filler} the lighthouse stands. ${"padding ".repeat(240_000)}`.slice(0, 500_000);
    const { body: long } = await owner.post("/api/v1/blog", { title: "Endless", content });
    // A search waits for the index, but not for long: on a busy machine the next one finds the text.
    for (let attempts = 0; attempts < 100 && (await found("lighthouse")).length === 0; attempts++);
    expect(await found(`"the lighthouse stands"`)).toEqual([`post ${long.id}`]);
    expect(await found("endless paddi")).toEqual([`post ${long.id}`]);
    expect(await found(`"the stands"`)).toEqual([]);
  });
});

describe("what only its owner sees", () => {
  test("is found by its owner alone, together with what everybody sees", async () => {
    const exif = {
      make: "FUJIFILM",
      model: null,
      lens: null,
      exposureTime: null,
      aperture: null,
      iso: null,
      focalLength: null,
    };
    const place = { latitude: 64, longitude: -22, altitude: null, name: "Reykjavík, Old Harbour" };
    const shown = { ...photo, exif: { ...exif, place: null } };
    const asOwner = { ...photo, place, exif: { ...exif, place } };
    const index = (texts: Texts, ownText = texts.text) =>
      beside((db) => db.transaction((tx) => indexRecord(tx, "photo", photo, { ...texts, ownText })));
    await index(photoTexts(shown), photoTexts(asOwner).text);
    for (const q of ["reykjavik", "reyk", `"old harbour"`, "velvet reykjavik", "fujifilm reykjavik"]) {
      expect([q, await found(q)]).toEqual([q, [`photo ${photo.id}`]]);
      for (const who of [people.guest, people.stranger, people.admin]) {
        expect([q, await found(q, {}, who)]).toEqual([q, []]);
      }
    }
    expect(await found("fujifilm", {}, people.stranger)).toEqual([`photo ${photo.id}`]);
    expect(await found(`${owner.userID}_reyk`, {}, people.guest)).toEqual([]);
    await index(photoTexts(asOwner));
    expect(await found("reykjavik", {}, people.stranger)).toEqual([`photo ${photo.id}`]);
    await index(photoTexts(photo));
    expect(await found("reykjavik", { limit: "3" })).toEqual([]);
  });
});

describe("records that were never indexed", () => {
  test("are found once the job has been there, and those in the trash when they are back", async () => {
    const { body: gone } = await owner.post("/api/v1/albums", { name: "Velvet box" });
    await owner.delete(`/api/v1/albums/${gone.id}`);
    const before = await found("velvet");
    await beside((db) => db.transaction((tx) => tx.run(sql`DELETE FROM documents`)));
    await beside((db) => indexMissing(db, kinds, AbortSignal.abort()));
    expect(await found("velvet")).toEqual([]);
    await beside((db) => indexMissing(db, kinds));
    expect((await found("velvet")).toSorted()).toEqual(before.toSorted());
    const [entry] = (await owner.get("/api/v1/trash")).body;
    await owner.post(`/api/v1/trash/${entry.id}/restore`);
    await beside((db) => indexMissing(db, kinds));
    expect(await found("velvet box")).toEqual([`album ${gone.id}`]);
  });
});

describe("what was typed", () => {
  test.each(["", "%20%20", "x".repeat(201)])("is refused when it is %p", async (q) => {
    const { status, body } = await people.guest.get(`/api/v1/search?q=${q}`);
    expect([status, body.field]).toEqual([400, "q"]);
  });

  test("is refused with a wrong kind, a wrong limit or nothing at all", async () => {
    for (const [query, field] of [
      ["", "q"],
      ["?kind=photo", "q"],
      ["?q=a&kind=", "kind"],
      ["?q=a&kind=user", "kind"],
      ["?q=a&limit=0", "limit"],
      ["?q=a&limit=101", "limit"],
      ["?q=a&limit=x", "limit"],
    ]) {
      const { status, body } = await people.guest.get(`/api/v1/search${query}`);
      expect([query, status, body.field, typeof body.error]).toEqual([query, 400, field, "string"]);
    }
  });

  test("counts without the blanks around it", async () => {
    expect(await found(`  velvet dusk${" ".repeat(300)}`)).toEqual([`photo ${photo.id}`]);
  });

  test.each(["!?", `"`, `""`, "*", "^", "-", "()", "{}:", "💥", "\\", "'", ":*", "&|!", "<->", "%_", "\0"])(
    "finds nothing when it has no words: %j",
    async (q) => {
      const { status, body } = await ask(q);
      expect([status, body]).toEqual([200, []]);
    },
  );

  test.each([
    `velvet" OR "x`,
    "velvet*",
    "^velvet",
    "velvet -dusk",
    "velvet:* & !dusk",
    "(velvet",
    "velvet)'",
    "vel\0vet",
    "velvet <-> dusk",
    "title_words:velvet",
    "{title_words} : velvet",
    "velvet\\",
    "\ufeffvelvet\u2028",
    "%FF%FE",
    "_photo",
    "a ".repeat(100),
    `${'"'.repeat(99)}velvet${'"'.repeat(90)}`,
    "\ud800velvet",
  ])("is never an operator, and never a failure: %j", async (q) => expect((await ask(q)).status).toBe(200));

  test("means its operators as words", async () => {
    const { body: words } = await owner.post("/api/v1/albums", { name: "Near or not and far" });
    for (const q of ["NEAR", "near OR not", "not", "far AND", "AND OR NOT"]) {
      expect([q, await found(q)]).toEqual([q, [`album ${words.id}`]]);
    }
    expect(await found("velvet NOT dusk")).toEqual([]);
    expect(await found("velvet OR ferry")).toEqual([]);
  });
});
