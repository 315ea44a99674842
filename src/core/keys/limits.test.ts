import { beforeAll, describe, expect, test } from "bun:test";
import { type Client, client } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
const server = useServer();
const owner = server.person("owner");
const stranger = server.person("stranger");

type Numbers = Record<string, number>;

const makeKey = async (limit: Numbers, ...scopes: string[]) => {
  const { status, body } = await owner.post(`${api}/keys`, { name: "A program", scopes, ...limit });
  expect(status).toBe(201);
  return { ...body, program: client(server, body.key, owner.userID) };
};
const put = async (who: Client, path: string, name: string, content: Bun.BlobPart) =>
  (await who.upload(name, content, { path, visibility: "private" })).body.id as number;
const sendTo = (who: Client, albumID: number | undefined, name: string, content: Bun.BlobPart) => {
  const body = new FormData();
  body.set("file", new File([content], name));
  return who.request("POST", `${api}/albums/${albumID}/uploads`, { body });
};
const statusesOf = async (requests: Promise<{ status: number }>[]) =>
  (await Promise.all(requests)).map(({ status }) => status);

const ids: Numbers = {};
beforeAll(async () => {
  const inside = await owner.post(`${api}/directories`, { path: "/home", name: "inside", visibility: "private" });
  ids.inside = inside.body.id;
  ids.file = await put(owner, "/home/inside", "a.txt", "inside");
  ids.deep = await put(owner, "/home/inside/sub", "deep.txt", "deep");
  ids.outside = await put(owner, "/home/other", "secret.txt", "outside");
  ids.other = (await owner.get(`${api}/files?path=/home`)).body.find(({ name }: any) => name === "other").id;
  ids.public = (await stranger.upload("public.txt", "public")).body.id;
  for (const name of ["trip", "elsewhere"])
    ids[name] = (await owner.post(`${api}/albums`, { name, visibility: "private" })).body.id;
  ids.photo = (await sendTo(owner, ids.trip, "trip.png", png(3, 2))).body.id;
  ids.hidden = (await sendTo(owner, ids.elsewhere, "hidden.png", png(4, 2))).body.id;
});

describe("a key that is limited to a directory", () => {
  let program: Client;
  beforeAll(async () => {
    const made = await makeKey({ directoryID: ids.inside as number }, "read", "files:write");
    expect([made.directoryID, made.albumID, made.limitedTo]).toEqual([ids.inside, null, "/home/inside"]);
    ({ program } = made);
  });

  test("reads and changes what is in it", async () => {
    const listed = await program.get(`${api}/files?path=/home/inside`);
    expect(listed.body.map(({ name }: any) => name)).toEqual(["sub", "a.txt"]);
    expect((await program.get(`${api}/files/${ids.deep}/content`)).body).toBe("deep");
    expect((await program.get(`${api}/files/dir/home/inside/sub/deep.txt`)).body.id).toBe(ids.deep);
    const added = await program.upload("b.txt", "b", { path: "/home/inside/new" });
    expect([added.status, added.body.path]).toEqual([201, "/home/inside/new"]);
    const moved = await program.post(`${api}/files/${added.body.id}/move`, { path: "/home/inside/sub" });
    expect([moved.status, moved.body.path]).toEqual([200, "/home/inside/sub"]);
    const copy = await program.post(`${api}/files/${ids.file}/copy`, { path: "/home/inside/sub" });
    expect(copy.status).toBe(201);
    const { headers } = await program.get(`${api}/files/${copy.body.id}`);
    const renamed = await program.request("PUT", `${api}/files/${copy.body.id}`, {
      body: JSON.stringify({ name: "c.txt" }),
      headers: { "Content-Type": "application/json", "If-Match": headers.get("etag") as string },
    });
    expect([renamed.status, renamed.body.name]).toEqual([200, "c.txt"]);
    const body = "changed";
    expect((await program.request("PUT", `${api}/files/${copy.body.id}/content`, { body })).status).toBe(200);
    expect((await program.delete(`${api}/files/${copy.body.id}`)).status).toBe(200);
    expect((await program.get(`${api}/files/${ids.inside}/zip`)).status).toBe(200);
  });

  test("finds nothing else, by no id, path or cursor", async () => {
    expect((await program.get(`${api}/files?path=/`)).body).toEqual([]);
    const { body: page, headers } = await owner.get(`${api}/files?path=/home&cursor=&pageSize=1`);
    expect(page.map(({ name }: any) => name)).toEqual(["inside"]);
    const [, cursor] = /cursor=([^&>]+)[^,]*rel="next"/.exec(headers.get("link") ?? "") ?? [];
    const reused = await program.get(`${api}/files/${ids.inside}/entries?cursor=${cursor}`);
    expect([reused.status, reused.body.field]).toEqual([400, "cursor"]);
    const missing = [
      ...["outside", "other", "public"].flatMap((name) =>
        ["", "/content", "/zip", "/entries"].map((end) => `${api}/files/${ids[name]}${end}`),
      ),
      `${api}/files?path=/home`,
      `${api}/files?path=/home/other`,
      `${api}/files?path=/home&cursor=${cursor}`,
      `${api}/files/dir/home/other/secret.txt`,
      `${api}/files/dir/public.txt`,
      `${api}/files/zip?ids=${ids.file},${ids.outside}`,
    ];
    for (const path of missing) expect([path, (await program.get(path)).status]).toEqual([path, 404]);
    for (const path of ["/home/inside/../other", "/home/inside/%2e%2e"])
      expect([400, 404]).toContain((await program.get(`${api}/files?path=${path}`)).status);
    const { etag } = Object.fromEntries((await owner.get(`${api}/files/${ids.outside}/content`)).headers);
    const known = { "If-None-Match": etag as string };
    expect((await program.get(`${api}/files/${ids.outside}/content`, known)).status).toBe(404);
  });

  test("brings nothing in and takes nothing out", async () => {
    const before = await owner.get(`${api}/files?path=/home/other`);
    const toOther = { path: "/home/other" };
    const into = { path: "/home/inside" };
    const key = { "Idempotency-Key": "escape" };
    const copied = await owner.post(`${api}/files/${ids.outside}/copy`, { path: "/home/copies" }, key);
    expect(copied.status).toBe(201);
    const made = await owner.post(`${api}/directories`, { path: "/home", name: "mine" }, { "Idempotency-Key": "two" });
    expect(made.status).toBe(201);
    const refused = [
      program.post(`${api}/files/${ids.file}/move`, toOther),
      program.post(`${api}/files/${ids.file}/move`, { path: "/" }),
      program.post(`${api}/files/${ids.file}/move`, { path: "/brand/new" }),
      program.post(`${api}/files/${ids.file}/copy`, toOther),
      program.post(`${api}/files/${ids.inside}/copy`, toOther),
      program.post(`${api}/files/${ids.outside}/move`, into),
      program.post(`${api}/files/${ids.outside}/copy`, into),
      program.post(`${api}/files/${ids.outside}/copy`, { path: "/home/copies" }, key),
      program.post(`${api}/directories`, { path: "/home", name: "mine" }, { "Idempotency-Key": "two" }),
      program.post(`${api}/directories`, { path: "/", name: "x" }),
      program.upload("x.txt", "x"),
      program.upload("x.txt", "x", toOther),
      program.upload("x.txt", "x", { path: "/new/one" }),
      program.upload("secret.txt", "x", { ...toOther, onConflict: "replace" }),
      program.upload("x.txt", "x", { path: "/home", isDirectory: "true", name: "y" }),
      program.put(`${api}/files/${ids.outside}`, { name: "x.txt" }),
      program.request("PUT", `${api}/files/${ids.outside}/content`, { body: "x" }),
      program.delete(`${api}/files/${ids.outside}`),
    ];
    expect(await statusesOf(refused)).toEqual(refused.map(() => 404));
    expect((await program.upload("x.txt", "x", { path: "/home/inside/../other" })).status).toBe(400);
    const top = [
      program.put(`${api}/files/${ids.inside}`, { visibility: "public" }),
      program.post(`${api}/files/${ids.inside}/move`, { path: "/home/inside/sub" }),
      program.delete(`${api}/files/${ids.inside}`),
      program.post(`${api}/files/batch`, { ids: [ids.outside], action: "delete" }),
    ];
    expect(await statusesOf(top)).toEqual([403, 403, 403, 403]);
    expect((await owner.get(`${api}/files?path=/home/other`)).body).toEqual(before.body);
  });

  test("uploads in parts only into it, and knows no other upload", async () => {
    const start = (who: Client, path: string) => {
      const pairs = Object.entries({ filename: "part.txt", path });
      const metadata = pairs.map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`).join(",");
      return who.post(`${api}/uploads`, undefined, {
        "Tus-Resumable": "1.0.0",
        "Upload-Length": "4",
        "Upload-Metadata": metadata,
      });
    };
    const send = (id: number) =>
      program.request("PATCH", `${api}/uploads/${id}`, {
        body: "four",
        headers: {
          "Tus-Resumable": "1.0.0",
          "Upload-Offset": "0",
          "Content-Type": "application/offset+octet-stream",
        },
      });
    const { body: foreign } = await start(owner, "/home/other");
    expect((await start(program, "/home/other")).status).toBe(404);
    const { body: own } = await start(program, "/home/inside");
    expect((await program.get(`${api}/uploads`)).body.map(({ id }: any) => id)).toEqual([own.id]);
    const asked = [
      send(foreign.id),
      program.get(`${api}/uploads/${foreign.id}`, { "Tus-Resumable": "1.0.0" }),
      program.request("DELETE", `${api}/uploads/${foreign.id}`, { headers: { "Tus-Resumable": "1.0.0" } }),
    ];
    expect(await statusesOf(asked)).toEqual([404, 404, 404]);
    const { status, headers } = await send(own.id);
    expect(status).toBe(204);
    expect((await program.get(`${api}/files/${headers.get("upload-file-id")}/content`)).body).toBe("four");
  });

  test("follows the directory, and reaches nothing once that is deleted", async () => {
    const { body: directory } = await owner.post(`${api}/directories`, { path: "/", name: "moving" });
    const inIt = await put(owner, "/moving", "x.txt", "moved");
    const { program: mover, id } = await makeKey({ directoryID: directory.id }, "read", "files:write");
    await owner.post(`${api}/files/${directory.id}/move`, { path: "/home" });
    expect((await mover.get(`${api}/files/${inIt}/content`)).body).toBe("moved");
    expect((await mover.get(`${api}/files?path=/moving`)).status).toBe(404);
    expect((await mover.upload("y.txt", "y", { path: "/home/moving" })).status).toBe(201);
    await owner.delete(`${api}/files/${directory.id}`);
    const gone = [`/files/${inIt}`, `/files/${inIt}/content`, `/files/${directory.id}`, "/files?path=/home/moving"];
    for (const path of gone) expect((await mover.get(api + path)).status).toBe(404);
    expect((await mover.upload("z.txt", "z", { path: "/home/moving" })).status).toBe(404);
    const listed = (await owner.get(`${api}/keys`)).body.find((key: any) => key.id === id);
    expect([listed.directoryID, listed.limitedTo]).toEqual([directory.id, null]);
  });
});

describe("a key that is limited to an album", () => {
  let program: Client;
  beforeAll(async () => {
    ({ program } = await makeKey({ albumID: ids.trip as number }, "read", "photos:write"));
  });

  test("reads its photos, and adds others", async () => {
    const { body: photo } = await program.get(`${api}/photos/${ids.photo}`);
    expect([photo.title, photo.file.path]).toEqual(["trip", "/"]);
    expect((await program.get(`${api}/photos/${ids.photo}/image?w=320`)).status).toBe(200);
    expect((await program.get(`${api}/files/${photo.fileID}/content`)).status).toBe(200);
    const added = await sendTo(program, ids.trip, "next.png", png(5, 5));
    expect(added.status).toBe(201);
    const again = await sendTo(program, ids.trip, "next.png", png(5, 5));
    expect(again.body.id).toBe(added.body.id);
    const { body: album } = await program.get(`${api}/albums/${ids.trip}`);
    expect([album.parentID, album.photos.map(({ id }: any) => id)]).toEqual([null, [ids.photo, added.body.id]]);
    const { body: file } = await owner.get(`${api}/files/${added.body.fileID}`);
    expect(file.path).toBe(`/photos/${new Date().getUTCFullYear()}`);
    expect((await sendTo(program, ids.trip, "not-a-picture.txt", "text")).status).toBe(400);
  });

  test("finds nothing else, and brings nothing in", async () => {
    // The same bytes as a photo outside: it gets one of its own.
    const same = await sendTo(program, ids.trip, "hidden.png", png(4, 2));
    expect(same.body.id).not.toBe(ids.hidden);
    const { fileID } = (await owner.get(`${api}/photos/${ids.hidden}`)).body;
    const { body: open } = await stranger.post(`${api}/photos`, {
      title: "for everyone",
      fileID: (await stranger.upload("open.png", png(2, 2))).body.id,
    });
    const missing = [
      `/albums/${ids.elsewhere}`,
      `/albums/${ids.elsewhere}/photos`,
      `/albums/${ids.elsewhere}/zip`,
      `/photos/${ids.hidden}`,
      `/photos/${ids.hidden}/image`,
      `/photos/${open.id}`,
      `/files/${fileID}/content`,
      `/files/${open.fileID}/content`,
      `/files/${ids.file}/content`,
    ];
    for (const path of missing) expect([path, (await program.get(api + path)).status]).toEqual([path, 404]);
    const refused = [
      program.post(`${api}/albums/${ids.trip}/photos`, { photoID: ids.hidden }),
      program.put(`${api}/albums/${ids.trip}`, { visibility: "public" }),
      program.put(`${api}/photos/${ids.photo}`, { title: "x" }),
      program.upload("x.png", png(1, 1)),
      program.post(`${api}/photos/many`, { photos: [{ title: "x", fileID }], albumID: ids.trip }),
    ];
    expect(await statusesOf(refused)).toEqual(refused.map(() => 403));
    expect((await sendTo(program, ids.elsewhere, "x.png", png(1, 1))).status).toBe(404);
    // A share link is not a way around the limit.
    const { body: link } = await owner.post(`${api}/shares`, { kind: "album", id: ids.elsewhere });
    expect(link.token).toBeString();
    const shared = { "X-Share-Token": link.token };
    expect((await program.get(`${api}/photos/${ids.hidden}`, shared)).status).toBe(404);
  });

  test("reaches nothing once the album is in the trash", async () => {
    const { body: album } = await owner.post(`${api}/albums`, { name: "brief", visibility: "private" });
    const { body: photo } = await sendTo(owner, album.id, "brief.png", png(6, 6));
    const { program: brief } = await makeKey({ albumID: album.id }, "read", "photos:write");
    expect((await brief.get(`${api}/photos/${photo.id}`)).status).toBe(200);
    await owner.delete(`${api}/albums/${album.id}`);
    for (const path of [`/photos/${photo.id}`, `/albums/${album.id}`, `/files/${photo.fileID}/content`])
      expect((await brief.get(api + path)).status).toBe(404);
    expect((await sendTo(brief, album.id, "x.png", png(1, 1))).status).toBe(404);
  });
});

test("a key is limited only to what its owner has, with scopes that mean something there", async () => {
  const ask = async (who: Client, limit: Numbers, ...scopes: string[]) => {
    const { status, body } = await who.post(`${api}/keys`, { name: "x", scopes, ...limit });
    return [status, body.field ?? null];
  };
  const { inside, file, trip } = ids as { inside: number; file: number; trip: number };
  expect(await ask(owner, { directoryID: inside, albumID: trip }, "read")).toEqual([400, "albumID"]);
  expect(await ask(owner, { directoryID: file }, "read")).toEqual([400, "directoryID"]);
  expect(await ask(owner, { albumID: 999_999 }, "read")).toEqual([400, "albumID"]);
  expect(await ask(owner, { directoryID: inside }, "read", "blog:write")).toEqual([400, "scopes"]);
  expect(await ask(owner, { albumID: trip }, "admin")).toEqual([400, "scopes"]);
  expect(await ask(stranger, { directoryID: inside }, "read")).toEqual([400, "directoryID"]);
  const { body: open } = await owner.post(`${api}/directories`, { path: "/", name: "open" });
  expect(await ask(stranger, { directoryID: open.id }, "read")).toEqual([403, null]);
});

describe("every route", () => {
  const kinds = [
    ["directory", ["read", "files:write", "dav"]],
    ["album", ["read", "photos:write"]],
  ] as const;

  test.each(kinds)(
    "refuses a key that is limited to a %s, except those that were made for it",
    async (kind, scopes) => {
      const limit = kind === "directory" ? { directoryID: ids.inside as number } : { albumID: ids.trip as number };
      const { program } = await makeKey(limit, ...scopes);
      const { body: document } = await owner.get("/openapi.json");
      const open: string[] = [];
      for (const [path, item] of Object.entries<any>(document.paths))
        for (const [method, operation] of Object.entries<any>(item)) {
          if (operation["x-open-to-limited-keys"]?.includes(kind)) open.push(operation.operationId);
          else if (!operation.responses[403]) expect(["/livez", "/readyz", "/openapi.json", "/docs"]).toContain(path);
          else {
            const target = path.replaceAll(/\{\w+\}/g, "999999");
            const { status, body } = await program.request(method.toUpperCase(), target);
            const answer = [operation.operationId, status, body.error];
            expect(answer).toEqual([operation.operationId, 403, expect.stringMatching(/^(This|An) app key /)]);
          }
        }
      expect(open.toSorted()).toEqual(openTo[kind]);
    },
  );

  const openTo = {
    album: [
      "listAlbumPhotos",
      "listChildAlbums",
      "readAlbum",
      "readContent",
      "readPhoto",
      "readPhotoImage",
      "uploadAlbumPhoto",
      "zipAlbum",
    ],
    directory: [
      "appendToUpload",
      "changeFile",
      "copyFile",
      "createDirectory",
      "createUpload",
      "deleteFile",
      "deleteUpload",
      "listDirectory",
      "listEntries",
      "listUploads",
      "moveFile",
      "readContent",
      "readFile",
      "readPath",
      "readUpload",
      "replaceContent",
      "uploadFile",
      "zipDirectory",
      "zipFiles",
    ],
  };
});
