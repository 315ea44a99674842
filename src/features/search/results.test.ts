import { describe, expect, test } from "bun:test";
import { engineEnv } from "../../../tests/kit/engine.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import { kindsOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import type { Database } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { indexMissing } from "./index-missing.ts";

const kinds = kindsOf(modules);

const server = useServer();
const { owner, stranger } = server.people();

async function beside<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const db = await openDatabase(readConfig({ DATA_DIR: server.dataDir, ...(await engineEnv(server.dataDir)) }));
  const result = await work(db);
  await db.close();
  return result;
}

const search = async (q: string, more = "") =>
  (await owner.get(`/api/v1/search?q=${encodeURIComponent(q)}${more}`)).body as any[];
const titles = async (q: string, more = "") => (await search(q, more)).map(({ title }) => title);
const write = async (title: string, content: string) => (await owner.post("/api/v1/blog", { title, content })).body;
const name = async (album: string) => (await owner.post("/api/v1/albums", { name: album })).body;

describe("the best result comes first", () => {
  test("a title before a text, however often that says it", async () => {
    await write("Heron", "a bird");
    await write("Birds", "heron heron heron heron heron heron");
    await write("Other birds", "one heron among many other birds");
    expect(await titles("heron")).toEqual(["Heron", "Birds", "Other birds"]);
  });

  test("a whole word before the beginning of another", async () => {
    await name("Kestrel");
    await name("Kestrels");
    expect(await titles("kestrel")).toEqual(["Kestrel", "Kestrels"]);
  });

  test("a short title before a long one", async () => {
    await name("Plover");
    await name("All that we saw on the way, and a plover");
    expect(await titles("plover")).toEqual(["Plover", "All that we saw on the way, and a plover"]);
  });

  test("a title that is the query, before newer and longer ones", async () => {
    await name("Grey heron");
    await name("A grey heron");
    await name("Heron, grey");
    await name("Grey heron grey heron grey heron");
    await write("Grey", "grey heron, grey heron, heron");
    await write("Grey herons", "grey heron, grey heron, heron");
    const [first, ...next] = await titles("grey HERON!");
    expect(first).toBe("Grey heron");
    expect(next.slice(0, 2).toSorted()).toEqual(["A grey heron", "Grey heron grey heron grey heron"]);
    expect(next.slice(2).toSorted()).toEqual(["Grey", "Grey herons", "Heron, grey"]);
    expect((await titles(`"grey heron"`))[0]).toBe("Grey heron");
  });

  test("a title that is the query, however many newer ones have its words", async () => {
    await write("Knot", "x");
    await Promise.all(Array.from({ length: 120 }, (_, index) => name(`Knot ${index}`)));
    expect((await titles("knot", "&limit=1"))[0]).toBe("Knot");
    expect((await titles("knot", "&kind=post"))[0]).toBe("Knot");
  });

  test("a long title that is the query, although only its first words are looked for", async () => {
    const long = "東京の夜景と橋と川と山と海と空と春の鳥と秋の虫と冬の星と夏の花と";
    await name(`${long}月`);
    await name(`${long}日`);
    for (const end of ["月", "日"]) expect((await titles(`${long}${end}`))[0]).toBe(`${long}${end}`);
  });

  test("among equals, the newest", async () => {
    for (const number of [1, 2, 3]) await name(`Curlew ${number}`);
    expect(await titles("curlew")).toEqual(["Curlew 3", "Curlew 2", "Curlew 1"]);
  });

  test("an old title before ever so many new texts", async () => {
    await name("Bittern");
    await Promise.all(
      Array.from({ length: 120 }, (_, index) => write(`Note ${index}`, `I heard a bittern, ${index} times.`)),
    );
    expect((await titles("bittern", "&limit=1"))[0]).toBe("Bittern");
    expect(await search("bittern", "&limit=100")).toHaveLength(100);
  });
});

describe("emoji", () => {
  test("are found, whatever their skin tone and whatever they are joined with", async () => {
    await name("Summit 🏔️");
    await write("Work", "Ten hours 👩🏽‍💻 and then 👍🏿.");
    await name("Berlin 🇩🇪");
    await name("Paris 🇫🇷");
    for (const [q, title] of [
      ["🏔️", "Summit 🏔️"],
      ["🏔", "Summit 🏔️"],
      ["summit 🏔", "Summit 🏔️"],
      ["👩‍💻", "Work"],
      ["👩🏻‍💻", "Work"],
      ["💻", "Work"],
      ["👍", "Work"],
      ["hours 👍", "Work"],
      ["🇩🇪", "Berlin 🇩🇪"],
    ]) {
      expect([q, await titles(q as string)]).toEqual([q, [title]]);
    }
    for (const q of ["🇪", "🇩", "💻👩", "🏔🏔", "🏻"]) expect([q, await titles(q)]).toEqual([q, []]);
  });

  test("are marked with all that belongs to them", async () => {
    await write("Cheers", "Well done 👍🏽! 👩🏽‍💻");
    const [result] = await search(`👍 "👩‍💻"`);
    expect(result.excerptHTML).toBe("Well done <mark>👍🏽</mark>! <mark>👩🏽‍💻</mark>");
  });
});

describe("a result shows why it was found", () => {
  test("with the words as they were written, in marks, and all else escaped", async () => {
    await write("Über <Österreich> & co", 'Schöne Straßen, "größer" < als > sonst irgendwo & in Österreich.');
    const [result] = await search("strasse osterr grosser");
    expect(result).toMatchObject({
      title: "Über <Österreich> & co",
      titleHTML: "Über &lt;<mark>Österreich</mark>&gt; &amp; co",
      excerptHTML:
        "Schöne <mark>Straßen</mark>, &quot;<mark>größer</mark>&quot; &lt; als &gt; sonst irgendwo &amp; in <mark>Österreich</mark>.",
    });
  });

  test("without the markup of a post", async () => {
    const content = [
      "## A *pratincole*",
      "- [x] seen at the [mud](https://example.org/flat) with `old_glass`",
      "![[photo:1]]",
      "> **Loud** <kbd>call</kbd>[^1]",
      "| a | b |\n| - | - |\n| 1 | 2 |",
    ].join("\n\n");
    await write("Notes", content);
    const [result] = await search("pratincole old_glass");
    expect(result.excerptHTML).toBe(
      "A <mark>pratincole</mark> seen at the mud with <mark>old_glass</mark> Loud call a b 1 2",
    );
    const { id } = await write("Marked", "no");
    await owner.post("/api/v1/comments", { content: "*phalarope*", blogPostID: id });
    expect((await search("phalarope"))[0].excerptHTML).toBe("*<mark>phalarope</mark>*");
  });

  test("with what stands around the first match, in whole words", async () => {
    const filler = Array.from({ length: 100 }, (_, index) => `word${index}`).join("\n");
    await write("Marsh", `${filler} a lapwing,  rising ${filler}`);
    const [{ titleHTML, excerptHTML }] = (await search("lapwing")) as [any];
    expect(titleHTML).toBe("Marsh");
    expect(excerptHTML).toMatch(/^…word\d+( word\d+)+ a <mark>lapwing<\/mark>, rising word0( word\d+)+…$/);
    expect(excerptHTML.replace(/<\/?mark>/g, "").length).toBeLessThan(170);
  });

  test("with a phrase as one, and characters that are words of their own", async () => {
    await write("春の鳥", "Es war ein Grünschenkel, ein Grünschenkel. 庭に来た鶴と白鳥。");
    const [result] = await search(`"ein grunschenkel" 白鳥`);
    expect(result.excerptHTML).toBe(
      "Es war <mark>ein Grünschenkel</mark>, <mark>ein Grünschenkel</mark>. 庭に来た鶴と<mark>白鳥</mark>。",
    );
  });

  test("with the beginning of the text when only the title matched, and nothing where there is no text", async () => {
    const { id } = await write("Sanderling", `At the edge of the water. ${"It runs. ".repeat(100)}`);
    await owner.post("/api/v1/comments", { content: "A dunlin!", blogPostID: id });
    await name("Sanderling too");
    const [post, album] = (await search("sanderling")) as [any, any];
    expect(post.excerptHTML).toMatch(/^At the edge of the water\. It runs\..*It…?/);
    expect(album.excerptHTML).toBe("");
    expect((await search("dunlin"))[0]).toMatchObject({
      title: "",
      titleHTML: "",
      excerptHTML: "A <mark>dunlin</mark>!",
    });
  });
});

describe("the trash", () => {
  test("hides what is in it, and what hangs on that, until it is back", async () => {
    const post = await write("Avocet", "x");
    await stranger.post("/api/v1/comments", { content: "An avocet!", blogPostID: post.id });
    const album = await name("Avocets");
    await owner.upload("avocet.txt", "x", { path: "/avocets/far/below" });
    await beside((db) => indexMissing(db, kinds));
    expect(await search("avocet")).toHaveLength(5);
    const directory = (await owner.get("/api/v1/files")).body.find((file: any) => file.name === "avocets");
    await owner.delete(`/api/v1/blog/${post.id}`);
    await owner.delete(`/api/v1/albums/${album.id}`);
    await owner.delete(`/api/v1/files/${directory.id}`);
    expect(await search("avocet")).toEqual([]);
    for (const { id } of (await owner.get("/api/v1/trash")).body) await owner.post(`/api/v1/trash/${id}/restore`);
    expect(await search("avocet")).toHaveLength(5);
  });

  test("does not hide the old behind the new", async () => {
    const kept = [await name("Godwit 1"), await name("Godwit 2")];
    const gone = await Promise.all(Array.from({ length: 250 }, () => name("Godwit, gone")));
    await Promise.all(gone.map(({ id }) => owner.delete(`/api/v1/albums/${id}`)));
    expect(new Set((await search("godwit")).map(({ id }) => id))).toEqual(new Set(kept.map(({ id }) => id)));
  });

  test("leaves no word behind of what is gone for good, nor of the comments below it", async () => {
    const post = await write("Whimbrel", "x");
    await stranger.post("/api/v1/comments", { content: "A whimbrel!", blogPostID: post.id });
    await owner.upload("whimbrel.txt", "x", { path: "/whimbrels" });
    await beside((db) => indexMissing(db, kinds));
    const words = () =>
      beside((db) => db.all(sql`SELECT id FROM documents WHERE title_words || text_words LIKE '% whimbrel%'`));
    expect(await words()).toHaveLength(4);
    const directory = (await owner.get("/api/v1/files")).body.find((file: any) => file.name === "whimbrels");
    await owner.delete(`/api/v1/blog/${post.id}`);
    await owner.delete(`/api/v1/files/${directory.id}`);
    await owner.delete("/api/v1/trash");
    expect(await words()).toEqual([]);
    expect(await search("whimbrel")).toEqual([]);
  });
});
