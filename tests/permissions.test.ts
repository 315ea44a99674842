import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, cast, type Client, client, everything, member, password, png, startServer } from "./kit.ts";
import type { TestServer } from "./kit.ts";

let server: TestServer;
let people: Record<Who, Client>;
let image: any;

type Who = (typeof everybody)[number];
const everybody = ["guest", "stranger", "reader", "owner", "admin"] as const;

beforeAll(async () => {
  server = await startServer();
  const [four, reader] = await Promise.all([cast(server), member(server, "reader", "reader")]);
  people = { ...four, reader };
  image = (await people.owner.upload("image.png", png(2, 2))).body;
});
afterAll(() => server.close());

const api = "/api/v1";
const made = async (who: Client, path: string, body: object) => (await who.post(api + path, body)).body;

/** A fresh record of the owner's, for each knock at the door. */
const fresh = {
  photo: () => made(people.owner, "/photos", { title: "Photo", fileID: image.id }),
  post: () => made(people.owner, "/blog", { title: "Post", content: "…" }),
  album: () => made(people.owner, "/albums", { name: "Album" }),
  directory: () => made(people.owner, "/directories", { name: crypto.randomUUID() }),
  file: async () => (await people.owner.upload(`${crypto.randomUUID()}.txt`, "x")).body,
  /** On a post of the stranger's, so that only its own author is at home. */
  comment: async () => {
    const post = await made(people.stranger, "/blog", { title: "Theirs", content: "…" });
    return made(people.owner, "/comments", { content: "Mine", blogPostID: post.id });
  },
  readersComment: async () =>
    made(people.reader, "/comments", { content: "Mine", blogPostID: (await fresh.post()).id }),
  albumWithPhoto: async () => {
    const [album, photo] = [await fresh.album(), await fresh.photo()];
    await made(people.owner, `/albums/${album.id}/photos`, { photoID: photo.id });
    return { ...album, photoID: photo.id };
  },
  account: async () => ({ username: crypto.randomUUID() }),
};

type Row = {
  door: string;
  expected: [guest: number, stranger: number, reader: number, owner: number, admin: number];
  prepare?: () => Promise<any>;
  knock: (who: Client, record: any) => Promise<Answer>;
};

const all = (status: number): Row["expected"] => [status, status, status, status, status];
const authors = (status: number): Row["expected"] => [401, status, 403, status, status];
const ownerOnly: Row["expected"] = [401, 403, 403, 200, 200];

const rows: Row[] = [
  {
    door: "POST /signup",
    expected: all(201),
    prepare: fresh.account,
    knock: (who, { username }) => who.post("/signup", { username, password }),
  },
  { door: "POST /signin", expected: all(200), knock: (who) => who.post("/signin", { username: "owner", password }) },

  {
    door: "POST /photos",
    expected: authors(201),
    knock: (who) => who.post(`${api}/photos`, { title: "New", fileID: image.id }),
  },
  ...reads("/photos", fresh.photo),
  ...changes("/photos", fresh.photo, { title: "Changed" }),

  { door: "POST /blog", expected: authors(201), knock: (who) => who.post(`${api}/blog`, { title: "N", content: "…" }) },
  ...reads("/blog", fresh.post),
  ...changes("/blog", fresh.post, { title: "Changed" }),

  {
    door: "POST /comments",
    expected: [401, 201, 201, 201, 201],
    prepare: fresh.post,
    knock: (who, post) => who.post(`${api}/comments`, { content: "New", blogPostID: post.id }),
  },
  {
    door: "GET /comments",
    expected: all(200),
    prepare: fresh.comment,
    knock: (who, comment) => who.get(`${api}/comments?blogPostID=${comment.blogPostID}`),
  },
  {
    door: "PUT /comments/:id",
    expected: ownerOnly,
    prepare: fresh.comment,
    knock: (who, comment) => who.put(`${api}/comments/${comment.id}`, { content: "Changed" }),
  },
  {
    door: "DELETE /comments/:id on a post of the stranger's",
    expected: [401, 200, 403, 200, 200],
    prepare: fresh.comment,
    knock: (who, comment) => who.delete(`${api}/comments/${comment.id}`),
  },
  {
    door: "PUT /comments/:id of the reader's, on a post of the owner's",
    expected: [401, 403, 200, 403, 200],
    prepare: fresh.readersComment,
    knock: (who, comment) => who.put(`${api}/comments/${comment.id}`, { content: "Changed" }),
  },
  {
    door: "DELETE /comments/:id of the reader's, on a post of the owner's",
    expected: [401, 403, 200, 200, 200],
    prepare: fresh.readersComment,
    knock: (who, comment) => who.delete(`${api}/comments/${comment.id}`),
  },

  { door: "POST /albums", expected: authors(201), knock: (who) => who.post(`${api}/albums`, { name: "New" }) },
  ...reads("/albums", fresh.album),
  ...changes("/albums", fresh.album, { name: "Changed" }),
  {
    door: "POST /albums/:id/photos",
    expected: ownerOnly,
    prepare: async () => ({ ...(await fresh.album()), photoID: (await fresh.photo()).id }),
    knock: (who, { id, photoID }) => who.post(`${api}/albums/${id}/photos`, { photoID }),
  },
  {
    door: "DELETE /albums/:id/photos/:photoID",
    expected: ownerOnly,
    prepare: fresh.albumWithPhoto,
    knock: (who, { id, photoID }) => who.delete(`${api}/albums/${id}/photos/${photoID}`),
  },

  { door: "POST /files", expected: authors(201), knock: (who) => who.upload("new.txt", "x") },
  {
    door: "POST /files into a directory of the owner's",
    expected: [401, 403, 403, 201, 201],
    prepare: fresh.directory,
    knock: (who, { name }) => who.upload("new.txt", "x", { path: `/${name}` }),
  },
  { door: "GET /files", expected: all(200), knock: (who) => who.get(`${api}/files`) },
  {
    door: "GET /files/dir/*path",
    expected: all(200),
    prepare: fresh.file,
    knock: (who, { name }) => who.get(`${api}/files/dir/${name}`),
  },
  {
    door: "GET /files/:id/content",
    expected: all(200),
    prepare: fresh.file,
    knock: (who, { url }) => who.get(url),
  },
  ...changes("/files", fresh.file, { name: "changed.txt" }),
  ...changes("/files", fresh.directory, { name: "changed" }, " of a directory"),
  {
    door: "POST /directories",
    expected: authors(201),
    prepare: fresh.account,
    knock: (who, { username }) => who.post(`${api}/directories`, { name: username }),
  },
  {
    door: "POST /directories in a directory of the owner's",
    expected: [401, 403, 403, 201, 201],
    prepare: fresh.directory,
    knock: (who, { name }) => who.post(`${api}/directories`, { name: "new", path: name }),
  },
];

function reads(path: string, prepare: () => Promise<any>): Row[] {
  return [
    { door: `GET ${path}`, expected: all(200), knock: (who) => who.get(api + path) },
    { door: `GET ${path}/:id`, expected: all(200), prepare, knock: (who, { id }) => who.get(`${api}${path}/${id}`) },
  ];
}

function changes(path: string, prepare: () => Promise<any>, body: object, which = ""): Row[] {
  const knocks = {
    PUT: (who: Client, to: string) => who.put(to, body),
    DELETE: (who: Client, to: string) => who.delete(to),
  };
  return Object.entries(knocks).map(([method, knock]) => ({
    door: `${method} ${path}/:id${which}`,
    expected: ownerOnly,
    prepare,
    knock: async (who, { id }) => {
      const answer = await knock(who, `${api}${path}/${id}`);
      // The name that one of them gives must be free for the next.
      if (path === "/files" && answer.status === 200) await people.owner.delete(`${api}/files/${id}`);
      return answer;
    },
  }));
}

describe("who may what", () => {
  test.each(rows.map((row) => [row.door, row] as const))("%s", async (_door, { expected, prepare, knock }) => {
    for (const [index, who] of everybody.entries()) {
      const record = await prepare?.();
      const further = [
        ...(record?.blogPostID ? [`${api}/comments?blogPostID=${record.blogPostID}`] : []),
        ...(record?.photoID ? [`${api}/albums/${record.id}`] : []),
        ...(record?.isDirectory ? [`${api}/files?path=${record.name}`] : []),
        ...(record?.url ? [record.url as string] : []),
      ];
      const before = await everything(server, ...further);
      const { status, body } = await knock(people[who], record);
      expect([who, status]).toEqual([who, expected[index] as number]);
      if (status < 400) continue;
      expect(body.error).toBeString();
      expect(await everything(server, ...further)).toEqual(before);
    }
  });
});

type Operation = { method: string; path: string };

async function protectedOperations(): Promise<Operation[]> {
  const { body } = await people.guest.get("/openapi.json");
  return Object.entries(body.paths as Record<string, Record<string, any>>).flatMap(([path, operations]) =>
    Object.entries(operations)
      // An empty way means that a guest may, too.
      .filter(([, { security }]) => security.length > 0 && !security.some((way: object) => !Object.keys(way).length))
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  );
}

const specified = rows.filter(({ expected }) => expected[0] === 401).map(({ door }) => door.split(" ", 2).join(" "));

describe("the order of checks", () => {
  test("the API describes itself as protected wherever the table above expects a 401", async () => {
    const described = (await protectedOperations()).map(
      ({ method, path }) => `${method} ${path.replace(api, "").replace(/\{(\w+)\}/g, ":$1")}`,
    );
    expect(described).toEqual(expect.arrayContaining([...new Set(specified)]));
  });

  test("without a valid token every protected route is 401, whatever else is wrong", async () => {
    const operations = await protectedOperations();
    expect(operations.length).toBeGreaterThanOrEqual(18);
    const before = await everything(server);
    for (const { method, path } of operations) {
      for (const id of [image.id, 999_999, "x"]) {
        for (const token of [null, "nonsense", `${people.owner.token}x`]) {
          const junk = method === "GET" ? {} : { body: "not JSON", headers: { "Content-Type": "text/plain" } };
          const answer = await client(server, token).request(method, path.replace(/\{\w+\}/g, String(id)), junk);
          expect([method, path, id, token, answer.status]).toEqual([method, path, id, token, 401]);
          expect(answer.body.error).toBeString();
        }
      }
    }
    expect(await everything(server)).toEqual(before);
  });

  const { photo, post, album, file, comment } = fresh;
  test.each([
    ["/photos", photo, { title: "" }],
    ["/blog", post, { title: "" }],
    ["/albums", album, { name: "" }],
    ["/files", file, { name: "" }],
    ["/comments", comment, { content: "" }],
  ])("%s/:id: first whether it is there, then who may, then what was sent", async (path, prepare, wrong) => {
    const { reader, stranger, owner, admin } = people;
    const { id } = await prepare();
    for (const who of [reader, stranger, owner, admin]) {
      expect((await who.put(`${api}${path}/999999`, wrong)).status).toBe(404);
      expect((await who.delete(`${api}${path}/999999`)).status).toBe(404);
      for (const malformed of ["0", "-1", "1.5", "x", "01", "99999999999999999999"]) {
        expect((await who.put(`${api}${path}/${malformed}`, wrong)).status).toBe(400);
        expect((await who.delete(`${api}${path}/${malformed}`)).status).toBe(400);
      }
    }
    for (const who of [reader, stranger]) {
      for (const body of [wrong, {}, "not JSON", "[]"])
        expect((await who.put(`${api}${path}/${id}`, body)).status).toBe(403);
    }
    for (const body of [wrong, {}, "not JSON", "[]"])
      expect((await owner.put(`${api}${path}/${id}`, body)).status).toBe(400);
  });

  test("a reader is told that they may not before anything about what they sent", async () => {
    for (const path of ["/photos", "/blog", "/albums", "/directories", "/files"]) {
      expect([path, (await people.reader.post(api + path, {})).status]).toEqual([path, 403]);
    }
    const { id } = await album();
    expect((await people.reader.post(`${api}/albums/999999/photos`, {})).status).toBe(404);
    expect((await people.reader.post(`${api}/albums/${id}/photos`, {})).status).toBe(403);
    expect((await people.stranger.post(`${api}/albums/${id}/photos`, { photoID: 999_999 })).status).toBe(403);
    expect((await people.stranger.delete(`${api}/albums/${id}/photos/999999`)).status).toBe(403);
    expect((await people.owner.post(`${api}/albums/${id}/photos`, {})).status).toBe(400);
  });

  test("a malformed id is 400 and an unknown one 404 for a guest, too", async () => {
    for (const path of ["/photos", "/blog", "/albums"]) {
      expect((await people.guest.get(`${api}${path}/999999`)).status).toBe(404);
      for (const malformed of ["0", "-1", "1.5", "x", "01", "1e3", "99999999999999999999"]) {
        expect((await people.guest.get(`${api}${path}/${malformed}`)).status).toBe(400);
      }
    }
  });
});
