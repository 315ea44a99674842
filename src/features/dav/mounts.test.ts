import { beforeAll, describe, expect, test } from "bun:test";
import { type Dav, davWith, hrefsIn, lockBody, makeKey } from "../../../tests/dav/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
const server = useServer();
const owner = server.person("owner");
const stranger = server.person("stranger");
const ids: Record<string, number> = {};

const davAs = (username: string, secret: string) => davWith(server, username, secret);
const list = async (dav: Dav, path = "") =>
  hrefsIn(await (await dav("PROPFIND", path, { headers: { Depth: "1" } })).text());
const statusesOf = async (answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status);
const there = (path: string) => ({ headers: { Destination: `${server.url}/dav/${path}` } });

beforeAll(async () => {
  ids.top = (await owner.post(`${api}/directories`, { path: "/home", name: "top", visibility: "private" })).body.id;
  await owner.upload("a.txt", "inside", { path: "/home/top" });
  await owner.upload("deep.png", png(4, 4), { path: "/home/top/sub" });
  ids.outside = (await owner.upload("secret.txt", "outside", { path: "/home", visibility: "private" })).body.id;
  await stranger.upload("public.txt", "public");
});

describe("a key that is limited to a directory", () => {
  let mount: Dav;
  let all: Dav;
  beforeAll(async () => {
    const { body } = await owner.post(`${api}/keys`, { name: "x", scopes: ["dav"], directoryID: ids.top });
    mount = davAs("owner", body.key);
    all = davAs("owner", await makeKey(owner, "dav"));
  });

  test("sees it as the root, and changes what is in it", async () => {
    expect(await list(mount)).toEqual(["/dav/", "/dav/sub/", "/dav/a.txt"]);
    expect(await (await mount("GET", "a.txt")).text()).toBe("inside");
    const changes = [
      await mount("PUT", "b.txt", { body: "b" }),
      await mount("MKCOL", "new"),
      await mount("MOVE", "b.txt", there("new/c.txt")),
      await mount("COPY", "new/c.txt", there("d.txt")),
      await mount("DELETE", "d.txt"),
    ];
    expect(changes.map(({ status }) => status)).toEqual([201, 201, 201, 201, 204]);
    expect(await list(all, "home/top/new/")).toEqual(["/dav/home/top/new/", "/dav/home/top/new/c.txt"]);
  });

  test("shares its locks with those who see more, and says where they are as it sees it", async () => {
    const locked = await mount("LOCK", "a.txt", { body: lockBody() });
    expect(await locked.text()).toContain("<d:lockroot><d:href>/dav/a.txt</d:href></d:lockroot>");
    const token = locked.headers.get("lock-token") as string;
    expect((await all("PUT", "home/top/a.txt", { body: "x" })).status).toBe(423);
    const held = { body: "locked", headers: { If: `<${server.url}/dav/a.txt> (${token})` } };
    expect((await mount("PUT", "a.txt", held)).status).toBe(204);
    expect((await mount("UNLOCK", "a.txt", { headers: { "Lock-Token": token } })).status).toBe(204);
  });

  test("comes to nothing else", async () => {
    const missing = ["home/secret.txt", "secret.txt", "public.txt", "home/", "..%2fsecret.txt", "%2e%2e%5csecret.txt"];
    for (const path of missing) expect([400, 404]).toContain((await mount("GET", path)).status);
    expect(await list(mount)).not.toContain("/dav/secret.txt");
    const refused = [
      mount("MOVE", "a.txt", there("../secret.txt")),
      mount("MOVE", "a.txt", there("home/other.txt")),
      mount("COPY", "sub", there("home/sub")),
      mount("PUT", "home/x.txt", { body: "x" }),
      mount("DELETE", ""),
      mount("MOVE", "", there("sub/top")),
      mount("PROPPATCH", "", { body: "<propertyupdate xmlns='DAV:'/>" }),
      mount("COPY", "sub", there("")),
    ];
    expect(await statusesOf(refused)).toEqual([502, 409, 409, 409, 403, 403, 403, 403]);
    expect((await owner.get(`${api}/files/${ids.outside}/content`)).body).toBe("outside");
    const { body: other } = await owner.post(`${api}/directories`, { path: "/", name: "brief" });
    const { body } = await owner.post(`${api}/keys`, { name: "x", scopes: ["dav"], directoryID: other.id });
    await owner.delete(`${api}/files/${other.id}`);
    expect((await davAs("owner", body.key)("PROPFIND", "", { headers: { Depth: "1" } })).status).toBe(404);
  });
});

describe("a share link to a directory", () => {
  const share = (more: object = {}) => owner.post(`${api}/shares`, { kind: "directory", id: ids.top, ...more });
  const open = (dav: Dav) => dav("PROPFIND", "", { headers: { Depth: "0" } }).then(({ status }) => status);

  test("can be mounted for reading, until it is revoked", async () => {
    const { body: link } = await share();
    const guest = davAs("share", link.token);
    expect(await list(guest, "sub/")).toEqual(["/dav/sub/", "/dav/sub/deep.png"]);
    expect((await guest("GET", "sub/deep.png")).headers.get("etag")).toBe(
      (await guest("HEAD", "sub/deep.png")).headers.get("etag"),
    );
    const writes = [
      guest("PUT", "x.txt", { body: "x" }),
      guest("PUT", "a.txt", { body: "x" }),
      guest("MKCOL", "x"),
      guest("DELETE", "a.txt"),
      guest("MOVE", "a.txt", there("x.txt")),
      guest("COPY", "a.txt", there("x.txt")),
      guest("LOCK", "a.txt", { body: lockBody() }),
      guest("PROPPATCH", "a.txt", { body: "<propertyupdate xmlns='DAV:'/>" }),
    ];
    expect(await statusesOf(writes)).toEqual(writes.map(() => 403));
    expect(await statusesOf([guest("GET", "home/secret.txt"), guest("GET", "public.txt")])).toEqual([404, 404]);
    await owner.delete(`${api}/shares/${link.id}`);
    expect(await open(guest)).toBe(401);
  });

  test("needs its password, and is a directory with downloads", async () => {
    const { body: link } = await share({ password: "a word, not: short" });
    const tries = [link.token, `${link.token}:wrong`, `${link.token}:a word, not: short`];
    expect(await Promise.all(tries.map((sent) => open(davAs("share", sent))))).toEqual([401, 401, 207]);
    expect(await open(davAs("owner", link.token))).toBe(401);
    const { body: album } = await owner.post(`${api}/albums`, { name: "x" });
    const { body: other } = await owner.post(`${api}/shares`, { kind: "album", id: album.id });
    expect(await open(davAs("share", other.token))).toBe(403);
  });
});
