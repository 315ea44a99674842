import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { referenceTo } from "../../content/blog/source-references.ts";
import { runBeside, serverConfig } from "../../../tests/kit/server.ts";
import { bytesOf, quadrants } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { openMachine } from "../../commands/import-machine.ts";
import { findUserByName } from "../../core/users/store.ts";
import { openForAdding } from "../../engines.ts";
import { schemaOf } from "../../module.ts";
import { modules } from "../../modules.ts";
import type { CommentItem, PostItem } from "../../../convert/format/lines.ts";
import type { FileItem, Item } from "./lines.ts";
import type { ItemResult } from "./items.ts";
import { runImport, type Summary } from "./run-import.ts";
import { removePeople } from "./undo.ts";

const server = useServer();
const { guest, admin } = server.people();
const api = "/api/v1";
const may2019 = Date.UTC(2019, 4, 12, 9, 30);

let site: Awaited<ReturnType<typeof openForAdding>>;
let machine: ReturnType<typeof openMachine>;
beforeAll(async () => {
  const config = await serverConfig(server);
  site = await openForAdding(config, schemaOf(modules));
  machine = openMachine(site, config, modules);
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await site.close();
});

async function move(items: Item[], isDryRun = false): Promise<{ summary: Summary; settled: ItemResult[] }> {
  const { id, username, role } = (await findUserByName(site.db, "root"))!;
  const settled: ItemResult[] = [];
  const summary = await runImport(
    machine,
    {
      head: { program: "folder", hasUniqueFiles: false },
      async *items() {
        yield* items;
      },
    },
    { name: "An old site", owner: { id, username, role, tokenID: "" }, to: ["old"], isDryRun },
    { item: (item) => void settled.push(item), progress() {} },
  );
  return { summary, settled };
}

const fileItem = (key: string, bytes: Uint8Array, more: Partial<FileItem> = {}): FileItem => ({
  kind: "file",
  key,
  path: key.split("/"),
  size: bytes.length,
  modifiedAt: 1,
  async *open() {
    yield bytes;
  },
  visibility: "public",
  photo: {},
  albums: [],
  ...more,
});
const postItem = (key: string, more: Partial<PostItem> = {}): PostItem => ({
  kind: "post",
  key,
  isPage: false,
  title: key,
  slug: "",
  content: "Text.",
  excerpt: "",
  tags: [],
  publishedAt: may2019,
  createdAt: may2019,
  updatedAt: may2019 + 1000,
  visibility: "public",
  commentsOpen: true,
  author: null,
  cover: null,
  oldAddresses: [],
  ...more,
});
const commentItem = (key: string, post: string, more: Partial<CommentItem> = {}): CommentItem => ({
  kind: "comment",
  key,
  on: { kind: "post", key: post },
  parent: null,
  author: { name: "Zoë Fremd", email: "zoe@example.org" },
  content: `Comment ${key}.`,
  createdAt: may2019,
  isWaiting: false,
  ...more,
});

describe("posts that come from elsewhere", () => {
  let items: Item[];
  const open = (path: string) => guest.get(path, { Accept: "text/html" });

  test("keep their authors, dates, pictures and comments, and their old addresses lead to them", async () => {
    const picture = await bytesOf(quadrants(60, 40).jpeg());
    items = [
      { kind: "person", key: "7", username: "Grace Hopper", displayName: "Grace Brewster Hopper" },
      // The order within a batch does not matter.
      commentItem("c0", "First"),
      fileItem("2019/har bour (1).jpg", picture, { oldAddresses: ["https://old.example/up/har%20bour.jpg"] }),
      fileItem("paper.pdf", Buffer.from("%PDF-1.4"), { photo: null }),
      postItem("First", {
        content: [
          `![A \\[small\\] harbour](${referenceTo("2019/har bour (1).jpg")})`,
          `Read [the paper](${referenceTo("paper.pdf")}), not [this](${referenceTo("gone.pdf")}).`,
        ].join("\n\n"),
        slug: "the-first",
        tags: ["Sea", "sea", " "],
        author: "7",
        cover: "2019/har bour (1).jpg",
        oldAddresses: ["https://old.example/2019/05/the-first/", "/?p=12"],
      }),
      postItem("Secret", { visibility: "private", tags: ["hidden"], oldAddresses: ["/2019/secret"] }),
      postItem("Draft", { publishedAt: null, oldAddresses: ["/?p=13"] }),
      postItem("About", { isPage: true }),
      postItem("Ancient", { publishedAt: -1, title: "  " }),
      commentItem("c1", "First", { parent: "c0", author: { person: "7" } }),
      commentItem("c2", "First", { parent: "c1", isWaiting: true }),
      commentItem("c3", "First", { parent: "c3", author: { name: "root", email: "" } }),
      commentItem("c4", "About"),
      { kind: "redirect", key: "/tag/sea/", to: { tag: "Sea" } },
      { kind: "redirect", key: "/tag/hidden/", to: { tag: "hidden" } },
      { kind: "redirect", key: "/feed/", to: { path: "/feed.xml" } },
    ];
    const dry = await move(items, true);
    expect(dry.summary).toMatchObject({ import: null, added: 18, known: 0, refused: 0 });
    const { summary, settled } = await move(items);
    expect(summary).toMatchObject({ added: 17, known: 0, refused: 0, noted: 1 });
    const reasons = settled.filter(({ reason }) => reason).map(({ key, reason }) => [key, reason]);
    expect(reasons).toEqual([
      ["First", "1 of its pictures and files are missing."],
      ["Ancient", "Its date is not possible here: it is the first one that is."],
      ["c4", "Pages have no comments here."],
    ]);

    const { body: photos } = await guest.get(`${api}/photos`);
    expect(photos).toMatchObject([{ title: "har bour (1)", altText: "A [small] harbour", width: 60 }]);
    const { body: posts } = await guest.get(`${api}/blog`);
    expect(posts.map(({ title }: { title: string }) => title)).toEqual(["Untitled", "First"]);
    const [, first] = posts;
    expect(first).toMatchObject({
      slug: "the-first",
      tags: ["Sea"],
      coverID: photos[0].id,
      createdAt: "2019-05-12T09:30:00.000Z",
      publishedAt: "2019-05-12T09:30:00.000Z",
      updatedAt: "2019-05-12T09:30:01.000Z",
    });
    expect(first.content).toStartWith(`![[photo:${photos[0].id}]]\n\nRead [the paper](/api/v1/files/`);
    expect((await open("/blog/the-first")).body).toContain("Grace Brewster Hopper");
    const { body: author } = await admin.get(`${api}/users/${first.ownerID}`);
    expect(author).toMatchObject({ username: "Grace-Hopper", role: "author" });

    const thread = `${api}/comments?blogPostID=${first.id}`;
    const { body: comments } = await admin.get(thread);
    const [zoe] = comments;
    expect(comments.map((one: any) => [one.content, one.author.username, one.parentID, one.status])).toEqual([
      ["Comment c0.", "Zoë-Fremd", null, "visible"],
      // Whoever only calls themselves like an account of the site is somebody else.
      ["Comment c3.", "root-2", null, "visible"],
      ["Comment c1.", "Grace-Hopper", zoe.id, "visible"],
      ["Comment c2.", "Zoë-Fremd", zoe.id, "waiting"],
    ]);
    expect((await guest.get(thread)).body).toHaveLength(3);

    const leadsTo = async (path: string) => {
      const { status, headers } = await guest.request("GET", path, { redirect: "manual" });
      return [status, headers.get("location")];
    };
    const file = /files\/\d+\/content/.exec(JSON.stringify(await leadsTo("/up/har%20bour.jpg")))?.[0];
    expect(file).toBeDefined();
    expect(await Promise.all(["/2019/05/the-first/", "/2019/05/the-first?utm=1", "/?p=12"].map(leadsTo))).toEqual(
      Array.from({ length: 3 }, () => [301, "/blog/the-first"]),
    );
    expect(await leadsTo("/tag/sea/")).toEqual([301, "/tags/Sea"]);
    expect(await leadsTo("/feed/")).toEqual([301, "/feed.xml"]);
    // What guests may not see is as if it were not there.
    expect((await Promise.all(["/2019/secret", "/tag/hidden"].map(leadsTo))).map(([status]) => status)).toEqual([
      404, 404,
    ]);
    expect(await leadsTo("/?p=13")).toEqual([200, null]);
  });

  test("get what has changed in the source, unless they were changed here", async () => {
    const { body: own } = await admin.get(`${api}/blog?owner=me`);
    const { body: drafts } = await admin.get(`${api}/blog?owner=me&status=draft`);
    const idOf = (title: string) => [...own, ...drafts].find((post: any) => post.title === title)?.id;
    const first = (await guest.get(`${api}/blog/by-slug?slug=the-first`)).body;
    await admin.put(`${api}/blog/${idOf("Secret")}`, { content: "Changed here." });
    const later = items.map((item): Item => {
      if (item.kind !== "post") return item;
      if (item.key === "First") return { ...item, title: "First, again", slug: "moved", visibility: "public" };
      if (item.key === "Draft") return { ...item, publishedAt: may2019 };
      return item.key === "Secret" ? { ...item, content: "Changed there." } : item;
    });
    const dry = await move(later, true);
    // A trial does not know that the comment is on a page.
    expect(dry.summary).toMatchObject({ added: 1, known: 13, changed: 2, noted: 0 });
    const { summary, settled } = await move(later);
    expect(summary).toMatchObject({ added: 0, known: 13, changed: 2, refused: 0, noted: 1 });
    expect(settled.find(({ key }) => key === "Secret")?.reason).toContain("was also changed here");
    const { body: now } = await guest.get(`${api}/blog/${first.id}`);
    expect(now).toMatchObject({ title: "First, again", slug: "the-first", content: first.content, tags: first.tags });
    expect((await admin.get(`${api}/blog/${first.id}/revisions`)).body.length).toBeGreaterThan(0);
    expect((await guest.get(`${api}/blog/${idOf("Draft")}`)).status).toBe(200);
    expect((await admin.get(`${api}/blog/${idOf("Secret")}`)).body.content).toBe("Changed here.");
    const { body: activity } = await admin.get(`${api}/activity`);
    expect(activity.filter((one: any) => one.record?.id === first.id && one.action === "changed")).toEqual([]);
    // Said once, and forgotten when the first import is undone.
    expect((await move(later)).settled.filter(({ kind, reason }) => kind === "post" && reason)).toEqual([]);
    items = later;
  });

  test("keep comments that another import has brought until that is undone", async () => {
    const { id } = (await guest.get(`${api}/blog/by-slug?slug=the-first`)).body;
    const countAll = async () => (await admin.get(`${api}/comments?blogPostID=${id}`)).body.length;
    const before = await countAll();
    const names = ["One", "Two", "Zoë Fremd"];
    const more = Array.from({ length: 1300 }, (_, number) =>
      commentItem(`m${number}`, "First", { author: { name: names[number % 3] ?? "", email: "" } }),
    );
    const { summary } = await move([...items, ...more]);
    expect(summary.added).toBe(1303);
    expect(await countAll()).toBe(before + 1300);
    const undone = await runBeside(server, ["import", "--undo", String(summary.import)]);
    expect([undone.stderr, undone.stdout]).toEqual(["", expect.stringContaining("1300 records are in the trash")]);
    expect(await countAll()).toBe(before);
    const { body: trash } = await admin.get(`${api}/trash?pageSize=1000`);
    const entry = trash.find((one: any) => one.kind === "comment");
    expect(entry).toMatchObject({ name: "Comment m1299." });
    expect((await admin.post(`${api}/trash/${entry.id}/restore`)).status).toBe(200);
    expect(await countAll()).toBe(before + 1);
    await admin.delete(`${api}/comments/${entry.recordID}`);
  });

  test("are not added twice, and are added again after the import was undone", async () => {
    const countUsers = async () => (await admin.get(`${api}/users`)).body.length;
    const before = await countUsers();
    expect((await runBeside(server, ["import", "--undo", "1"])).stderr).toBe("");
    const { summary } = await move(items);
    // Those who have written them still have their accounts.
    expect(summary).toMatchObject({ added: 14, known: 1, changed: 0, noted: 1 });
    expect(await countUsers()).toBe(before);
    expect((await move(items)).summary).toMatchObject({ added: 0, known: 15, changed: 0, refused: 0, noted: 1 });
    const { body: redirects } = await admin.get(`${api}/redirects?cursor=`);
    expect(redirects).toHaveLength(8);
    expect((await runBeside(server, ["import", "--undo", String(summary.import)])).stderr).toBe("");
    expect((await guest.get(`${api}/blog`)).body).toEqual([]);
    expect((await guest.get("/2019/05/the-first")).status).toBe(404);
    expect((await admin.get(`${api}/redirects?cursor=`)).body).toEqual([]);
    expect((await move(items)).summary).toMatchObject({ added: 14, changed: 0, noted: 1 });
    expect(await countUsers()).toBe(before);
  });
});

test("what others have written is still theirs when an undone import is restored", async () => {
  const { summary } = await move([
    { kind: "person", key: "9", username: "mary", displayName: "" },
    postItem("Engines", { author: "9", slug: "engines" }),
    commentItem("e1", "Engines", { author: { name: "Henrietta", email: "" } }),
  ]);
  expect((await runBeside(server, ["import", "--undo", String(summary.import)])).stderr).toBe("");
  const entry = async () => {
    const { body: trash } = await admin.get(`${api}/trash`);
    return `${api}/trash/${trash.find(({ name }: any) => name === "Engines").id}`;
  };
  expect((await admin.post(`${await entry()}/restore`)).status).toBe(200);
  const post = (await guest.get(`${api}/blog/by-slug?slug=engines`)).body;
  const { body: comments } = await guest.get(`${api}/comments?blogPostID=${post.id}`);
  expect(comments.map(({ author }: any) => author.username)).toEqual(["Henrietta"]);
  expect((await admin.get(`${api}/users/${post.ownerID}`)).body.username).toBe("mary");

  const listMade = async () => {
    const { body: users } = await admin.get(`${api}/users`);
    return users.map(({ username }: any) => username).filter((name: string) => ["Henrietta", "mary"].includes(name));
  };
  await admin.delete(`${api}/blog/${post.id}`);
  await removePeople(site.db);
  expect((await listMade()).toSorted()).toEqual(["Henrietta", "mary"]);
  expect((await admin.delete(await entry())).status).toBe(200);
  await removePeople(site.db);
  expect(await listMade()).toEqual([]);
});
