// Runs on other engines only with TEST_LONG: the statements are those of each module.
import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { png } from "../../../tests/kit/files/png.ts";
import { sha256Of } from "../../../tests/kit/sha256.ts";
import { until } from "../../../tests/kit/until.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { guest, admin } = server.people();
const list = async (path: string): Promise<any[]> => (await admin.get(`/api/v1${path}`)).body;

const bytes = png(40, 30);
const live = { trashID: null, ownerID: 1 };
const time = "2021-01-01T00:00:00.000Z";
const file = { ...live, parentID: 0, name: "a.png", sha256: sha256Of(bytes), size: bytes.length, path: "files/a.png" };
const photo = { ...live, id: 5, fileID: 4, title: "The sea", isPrivate: false, edits: null };
const comment = (id: number, content: string, on: object, more: object = {}) => ({
  ...live,
  id,
  status: "visible",
  ownerID: 2,
  content,
  createdAt: time,
  ...on,
  ...more,
});
const records = {
  people: [
    { id: 1, username: "ada" },
    { id: 2, username: "eve" },
  ],
  profiles: [
    {
      userID: 2,
      displayName: "Eve Jones",
      portraitID: 5,
      about: "I comment.",
      links: [{ url: "https://eve.example/", label: "Home" }],
    },
  ],
  files: [{ ...file, id: 4, isPrivate: false, updatedAt: time }],
  photos: [photo, { ...photo, id: 6, fileID: null, trashID: 1 }],
  albums: [{ ...live, id: 7, parentID: null, name: "Seas", isPrivate: false }],
  "album-photos": [{ albumID: 7, photoID: 5, position: 0 }],
  posts: [
    {
      ...live,
      id: 9,
      ownerID: 2,
      isPage: false,
      title: "Hello",
      slug: "hello",
      status: "published",
      chosenPrivate: false,
      publishedAt: time,
      content: "From Eve",
      createdAt: time,
    },
  ],
  comments: [
    comment(10, "On the photo", { photoID: 5 }),
    comment(11, "A reply", { photoID: 5 }, { parentID: 10, ownerID: 1 }),
    comment(12, "On the album", { albumID: 7 }, { status: "waiting" }),
    comment(13, "On what is gone", { photoID: 6 }),
  ],
  hearts: [{ targetID: 22, giver: "user:2", createdAt: time, kind: "photo", recordID: 5 }],
  shares: [{ id: 1, kind: "album", recordID: 7 }],
  versions: [
    { id: 1, fileID: 4 },
    { id: 2, fileID: 4 },
  ],
  settings: [{ name: "title", value: "Old" }],
  trash: [{ id: 1, kind: "photo", recordID: 6 }],
};

async function exported(): Promise<Uint8Array> {
  const index = { format: "vitrine-export", formatVersion: 1, isComplete: true, owner: null, siteID: "0123456789" };
  const entries: { name: string; input: string | Uint8Array<ArrayBuffer> }[] = [
    ...Object.entries(records).map(([name, rows]) => ({
      name: `data/${name}.jsonl`,
      input: rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    })),
    { name: "files/a.png", input: bytes },
    { name: "vitrine-export.json", input: JSON.stringify(index) },
  ];
  return new Uint8Array(await downloadZip(entries).arrayBuffer());
}

test("of an export, comments on photos and albums and profiles come along, and what has no place has a line each", async () => {
  await admin.put("/api/v1/settings", { photoComments: true });
  const fileIDs = [(await admin.upload("old.zip", await exported(), { visibility: "private" })).body.id];
  const run = async () => {
    const { id } = (await admin.post("/api/v1/imports", { fileIDs, visibility: "public" })).body;
    const { body } = await until(
      () => admin.get(`/api/v1/imports/${id}`),
      (read) => read.body.status !== "running",
    );
    return body;
  };
  const done = await run();
  // A file, an album, a post, two people and three comments.
  expect(done).toMatchObject({ failure: null, items: { added: 8, refused: 0, noted: 7 }, imported: 1 });
  const [sea] = await list("/photos");
  const [seas] = await list("/albums");
  const comments = await list(`/comments?photoID=${sea.id}`);
  expect(comments.map(({ content, author, createdAt }) => [content, author.username, createdAt])).toEqual([
    ["On the photo", "eve", time],
    ["A reply", "ada", time],
  ]);
  expect(comments[1].parentID).toBe(comments[0].id);
  expect(await list(`/comments?albumID=${seas.id}`)).toMatchObject([{ content: "On the album", status: "waiting" }]);
  expect((await guest.get(`/api/v1/comments?albumID=${seas.id}`)).body).toEqual([]);
  const eve = comments[0].author.id;
  expect((await admin.get(`/api/v1/people/${eve}`)).body).toMatchObject({
    displayName: "Eve Jones",
    about: "I comment.",
    links: [{ url: "https://eve.example/", label: "Home" }],
  });
  const lines = await list(`/imports/${done.id}/items?outcome=noted`);
  expect(lines.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    "comments: 1 not taken: they are on pages, or on what is in the trash or not in the export.",
    "hearts: 1 not taken: they belong to those who have given them there.",
    "share links: 1 not taken: their addresses are those of that site. Share again here.",
    "earlier contents of files: 2 not taken.",
    "portraits: 1 not taken: people choose them here.",
    "entries of the trash: 1 not taken.",
    "settings, the menu among them: 1 not taken: this site has its own.",
  ]);
  expect((await run()).items).toMatchObject({ added: 0, known: 8, refused: 0 });
  expect(await list(`/comments?photoID=${sea.id}`)).toHaveLength(2);
  await admin.post(`/api/v1/imports/${done.id}/undo`);
  const undone = await until(
    () => admin.get(`/api/v1/imports/${done.id}`),
    ({ body }) => body.status === "undone",
  );
  expect(undone.body.status).toBe("undone");
  expect([await list("/photos"), await list("/albums")]).toEqual([[], []]);
});
