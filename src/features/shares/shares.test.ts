import { describe, expect, test } from "bun:test";
import { engineEnv, testScaled } from "../../../tests/kit/engine.ts";
import { type Client, client, isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { createPeople, person } from "../../../tests/kit/people.ts";
import { newDirectory, useScratch } from "../../../tests/kit/scratch.ts";
import { runBeside, startServer, type TestServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";

const scratch = useScratch();
const api = "/api/v1";

const server = useServer();
const { guest, owner, stranger, admin } = server.people();

const made = async (path: string, body: object) => (await owner.post(api + path, body)).body;
const privateAlbum = () => made("/albums", { name: "Album", visibility: "private" });
const share = async (kind: string, id: number, more: object = {}) => {
  const { status, body } = await owner.post(`${api}/shares`, { kind, id, ...more });
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};
const through = (token: string, password?: string) => ({
  "X-Share-Token": token,
  ...(password !== undefined && { "X-Share-Password": password }),
});

describe("a share link", () => {
  test("shows its token and URL once, and stores neither", async () => {
    const album = await privateAlbum();
    const { token, url, ...rest } = await share("album", album.id, { password: "a long secret" });
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url).toBe(`/s/${token}`);
    expect(rest).toEqual({
      id: rest.id,
      kind: "album",
      recordID: album.id,
      title: "Album",
      image: null,
      ownerID: owner.userID,
      expiresAt: null,
      allowDownload: true,
      allowUpload: false,
      showMetadata: true,
      hasPassword: true,
      uses: 0,
      waitingUploads: 0,
      lastUsedAt: null,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: expect.stringMatching(isoTime),
    });
    expect((await owner.get(`${api}/shares/${rest.id}`)).body).toEqual(rest);
    expect((await owner.get(`${api}/shares`)).body).toContainEqual(rest);
    const rows = await withDatabase(server, (db) => db.all(sql`SELECT * FROM shares`));
    for (const secret of [token, "a long secret"]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(server.logged()).not.toContain(secret);
    }
  });

  test("has the title of its record, unless that is in the trash", async () => {
    const { body: file } = await owner.upload("ferry.txt", "x", { path: "/Harbour", visibility: "private" });
    const directory = (await owner.get(`${api}/files?path=/`)).body.find(({ name }: any) => name === "Harbour");
    const [post, album] = [
      await made("/blog", { title: "Draft", content: "…", publishedAt: null }),
      await privateAlbum(),
    ];
    const photo = await made("/photos", {
      title: "Ferry",
      fileID: file.id,
      width: 1,
      height: 1,
      visibility: "private",
    });
    const kinds = { post, album, photo, directory, file };
    const ids: number[] = [];
    for (const [kind, { id }] of Object.entries(kinds)) ids.push((await share(kind, id)).id);
    const listTitles = async (who: Client, query = "") =>
      (await who.get(`${api}/shares?${query}`)).body
        .filter(({ id }: any) => ids.includes(id))
        .map(({ title }: any) => title);
    const titles = ["ferry.txt", "Harbour", "Ferry", "Album", "Draft"];
    expect(await listTitles(owner)).toEqual(titles);
    expect(await listTitles(owner, "cursor=")).toEqual(titles);
    expect(await listTitles(admin, "owner=all")).toEqual(titles);
    await owner.put(`${api}/albums/${album.id}`, { name: "Renamed" });
    await owner.delete(`${api}/photos/${photo.id}`);
    expect(await listTitles(owner)).toEqual(["ferry.txt", "Harbour", null, "Renamed", "Draft"]);
    const { body: changed } = await owner.put(`${api}/shares/${ids[1]}`, { allowUpload: true });
    expect(changed.title).toBe("Renamed");
  });

  test("is opened by its token, and reaches the record", async () => {
    const album = await privateAlbum();
    const { token } = await share("album", album.id);
    expect((await guest.get(`${api}/albums/${album.id}`)).status).toBe(404);
    const { status, body, headers } = await guest.get(`${api}/albums/${album.id}`, through(token));
    expect([status, body.name]).toEqual([200, "Album"]);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")).toContain("X-Share-Token");
    const opened = await guest.get(`${api}/shared`, through(token));
    expect(opened.body).toEqual({
      kind: "album",
      recordID: album.id,
      title: "Album",
      expiresAt: null,
      allowDownload: true,
      allowUpload: false,
      showMetadata: true,
    });
    expect((await stranger.get(`${api}/albums/${album.id}`, through(token))).status).toBe(200);
    expect((await guest.put(`${api}/albums/${album.id}`, { name: "x" })).status).toBe(401);
  });

  test("exists for its owner and admins only", async () => {
    const album = await privateAlbum();
    const { id } = await share("album", album.id);
    for (const send of [
      (who: Client) => who.get(`${api}/shares/${id}`),
      (who: Client) => who.put(`${api}/shares/${id}`, { allowUpload: true }),
      (who: Client) => who.delete(`${api}/shares/${id}`),
    ]) {
      expect((await guest.get(`${api}/shares/${id}`)).status).toBe(401);
      expect((await send(stranger)).status).toBe(404);
    }
    expect((await admin.get(`${api}/shares/${id}`)).status).toBe(200);
    expect((await stranger.get(`${api}/shares`)).body).toEqual([]);
    expect((await stranger.get(`${api}/shares?owner=all`)).status).toBe(403);
    expect((await stranger.get(`${api}/shares?owner=${owner.userID}`)).status).toBe(403);
    const ids = (await admin.get(`${api}/shares?owner=all`)).body.map((one: any) => one.id);
    expect(ids).toContain(id);
    const filtered = await owner.get(`${api}/shares?kind=album&id=${album.id}`);
    expect(filtered.body.map((one: any) => one.id)).toEqual([id]);
    expect((await owner.get(`${api}/shares?id=1`)).status).toBe(400);
    const first = await owner.get(`${api}/shares?cursor=&pageSize=1`);
    expect([first.body.length, first.headers.get("link")]).toEqual([1, expect.stringContaining(`rel="next"`)]);
  });

  test("is made for one's own records only; a private record of another does not exist", async () => {
    const hidden = await privateAlbum();
    const shown = await made("/albums", { name: "Public" });
    const ask = async (who: Client, id: number) => (await who.post(`${api}/shares`, { kind: "album", id })).status;
    expect(await ask(stranger, hidden.id)).toBe(404);
    expect(await ask(stranger, 999_999)).toBe(404);
    expect(await ask(stranger, shown.id)).toBe(403);
    const byAdmin = await admin.post(`${api}/shares`, { kind: "album", id: hidden.id });
    expect([byAdmin.status, byAdmin.body.ownerID]).toEqual([201, owner.userID]);
    expect((await guest.get(`${api}/albums/${hidden.id}`, through(byAdmin.body.token))).status).toBe(200);
  });

  test("is revoked at once, by its owner, by time, and with its record", async () => {
    const album = await privateAlbum();
    const path = `${api}/albums/${album.id}`;
    const { id, token } = await share("album", album.id);
    expect((await guest.get(path, through(token))).status).toBe(200);
    expect((await owner.delete(`${api}/shares/${id}`)).status).toBe(200);
    expect((await guest.get(path, through(token))).status).toBe(404);

    const short = await share("album", album.id, { expiresAt: new Date(Date.now() + 600_000).toISOString() });
    expect((await guest.get(path, through(short.token))).status).toBe(200);
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE shares SET expires_at = ${Date.now() - 1} WHERE id = ${short.id}`)),
    );
    expect((await guest.get(path, through(short.token))).status).toBe(404);

    const third = await share("album", album.id);
    await owner.delete(path);
    const gone = await guest.get(`${api}/shared`, through(third.token));
    expect((await guest.get(path, through(third.token))).status).toBe(404);
    const texts = new Set<string>();
    for (const one of [token, short.token, third.token, "x".repeat(43), "nonsense"]) {
      const { status, body } = await guest.get(`${api}/shared`, through(one));
      expect(status).toBe(404);
      texts.add(body.error);
    }
    expect([...texts]).toEqual([gone.body.error]);
  });

  test("ends with the account of its owner, also if the record goes to another one", async () => {
    const dataDir = newDirectory(scratch);
    const before = await startServer({ DATA_DIR: dataDir });
    const [leaving, heir] = [await person(before, "leaving"), await person(before, "heir")];
    const { id } = (await leaving.post(`${api}/albums`, { name: "Album", visibility: "private" })).body;
    const { token } = (await leaving.post(`${api}/shares`, { kind: "album", id })).body;
    const ask = (where: TestServer) => client(where).get(`${api}/albums/${id}`, through(token));
    expect((await ask(before)).status).toBe(200);
    await before.close();
    const removed = await runBeside(before, ["user", "remove", "leaving", "--give-to", "heir", "--yes"]);
    expect([removed.code, removed.stderr]).toEqual([0, ""]);
    await using after = await startServer({ DATA_DIR: dataDir });
    const inherited = client(after, heir.token);
    expect((await inherited.get(`${api}/albums/${id}`)).status).toBe(200);
    expect((await ask(after)).status).toBe(404);
    expect((await inherited.get(`${api}/shares`)).body).toEqual([]);
  });

  testScaled("is revoked on every copy of the server at once", async () => {
    await using copy = await startServer({ ...(await engineEnv(server.dataDir)), DATA_DIR: newDirectory(scratch) });
    const album = await privateAlbum();
    const path = `${api}/albums/${album.id}`;
    for (const end of [
      (id: number) => owner.delete(`${api}/shares/${id}`),
      (id: number) => owner.put(`${api}/shares/${id}`, { password: "closed from now on" }),
      () => owner.put(path, { visibility: "public" }).then(() => owner.delete(path)),
    ]) {
      const { id, token } = await share("album", album.id);
      const ask = async () => (await client(copy).get(path, through(token))).status;
      for (let round = 0; round < 3; round++) expect(await ask()).toBe(200);
      expect((await end(id)).status).toBe(200);
      expect(await ask()).toBe(404);
    }
  });

  test("can be changed, and keeps its token", async () => {
    const album = await privateAlbum();
    const { id, token } = await share("album", album.id);
    const path = `${api}/shares/${id}`;
    const { body, headers } = await owner.get(path);
    const later = "2099-01-01T00:00:00.000Z";
    const changed = await owner.put(path, { expiresAt: later, allowUpload: true });
    expect(changed.body).toMatchObject({ ...body, expiresAt: later, allowUpload: true, updatedAt: expect.any(String) });
    expect(changed.body.token).toBeUndefined();
    const init = {
      body: JSON.stringify({ expiresAt: null }),
      headers: { "If-Match": headers.get("etag") ?? "", "Content-Type": "application/json" },
    };
    expect((await owner.request("PUT", path, init)).status).toBe(412);
    expect((await owner.put(path, { password: "open sesame" })).body.hasPassword).toBe(true);
    expect((await guest.get(`${api}/albums/${album.id}`, through(token))).status).toBe(404);
    expect((await guest.get(`${api}/albums/${album.id}`, through(token, "open sesame"))).status).toBe(200);
    expect((await owner.put(path, { password: null })).body.hasPassword).toBe(false);
    expect((await guest.get(`${api}/albums/${album.id}`, through(token))).status).toBe(200);
  });

  test("is refused with a sentence where its fields are wrong", async () => {
    const album = await privateAlbum();
    const { body: file } = await owner.upload("secret.png", png(2, 2), { visibility: "private" });
    // The use of a link is counted a moment later.
    const list = async () =>
      (await owner.get(`${api}/shares`)).body.map(({ uses, lastUsedAt, ...link }: Record<string, unknown>) => link);
    const before = await list();
    const wrong: [object, string][] = [
      [{ kind: "comment", id: 1 }, "kind"],
      [{ kind: "album" }, "id"],
      [{ kind: "album", id: album.id, expiresAt: "2001-01-01T00:00:00Z" }, "expiresAt"],
      [{ kind: "album", id: album.id, expiresAt: "soon" }, "expiresAt"],
      [{ kind: "album", id: album.id, password: "short" }, "password"],
      [{ kind: "album", id: album.id, allowUpload: "yes" }, "allowUpload"],
      [{ kind: "album", id: album.id, allowDownload: true, showMetadata: false }, "allowDownload"],
      [{ kind: "file", id: file.id, allowDownload: false }, "allowDownload"],
      [{ kind: "file", id: file.id, allowUpload: true }, "allowUpload"],
    ];
    for (const [sent, field] of wrong) {
      const { status, body } = await owner.post(`${api}/shares`, sent);
      expect([sent, status, body.field]).toEqual([sent, 400, field]);
    }
    expect((await owner.post(`${api}/shares`, { kind: "directory", id: file.id })).status).toBe(404);
    const { id } = await share("album", album.id);
    expect((await owner.put(`${api}/shares/${id}`, { showMetadata: false })).status).toBe(400);
    expect((await owner.put(`${api}/shares/${id}`, { expiresAt: "2001-01-01T00:00:00Z" })).status).toBe(400);
    expect((await owner.put(`${api}/shares/${id}`, {})).status).toBe(400);
    expect((await list()).slice(1)).toEqual(before);
  });

  test("is in the activity, for its owner and admins, without its token", async () => {
    const album = await privateAlbum();
    const { id, token } = await share("album", album.id);
    await owner.put(`${api}/shares/${id}`, { allowUpload: true });
    await owner.delete(`${api}/shares/${id}`);
    for (const who of [owner, admin]) {
      const { body } = await who.get(`${api}/activity?kind=share&recordID=${id}`);
      expect(body.map((one: any) => [one.action, one.name])).toEqual(
        ["deleted", "changed", "created"].map((action) => [action, `album ${album.id}`]),
      );
      expect(JSON.stringify(body)).not.toContain(token);
    }
    expect((await stranger.get(`${api}/activity?kind=share`)).body).toEqual([]);
  });

  test("can be sent by scripts of other origins", async () => {
    const { headers } = await guest.request("OPTIONS", `${api}/photos/1`);
    expect(headers.get("access-control-allow-headers")).toContain("X-Share-Token");
    expect(headers.get("access-control-allow-headers")).toContain("X-Share-Password");
  });

  test("counts visits, not requests", async () => {
    const album = await privateAlbum();
    const { id, token } = await share("album", album.id);
    for (let index = 0; index < 5; index++) await guest.get(`${api}/albums/${album.id}`, through(token));
    const { body } = await until(
      () => owner.get(`${api}/shares/${id}`),
      (read) => read.body.uses > 0,
    );
    expect([body.uses, body.lastUsedAt]).toEqual([1, expect.stringMatching(isoTime)]);
  });

  test("never reaches the cache of responses, in either direction", async () => {
    const album = await privateAlbum();
    const { token } = await share("album", album.id);
    const path = `${api}/albums/${album.id}`;
    for (let round = 0; round < 3; round++) {
      expect((await guest.get(path, through(token))).status).toBe(200);
      expect((await guest.get(path)).status).toBe(404);
    }
    const open = await made("/albums", { name: "Public" });
    const { body: file } = await owner.upload("in.png", png(2, 2), { visibility: "private" });
    const photo = await made("/photos", { title: "Hidden", fileID: file.id, visibility: "private" });
    await made(`/albums/${open.id}/photos`, { photoID: photo.id });
    const link = await share("album", open.id);
    for (let round = 0; round < 3; round++) {
      expect((await guest.get(`${api}/albums/${open.id}`)).body.photos).toEqual([]);
      expect((await guest.get(`${api}/albums/${open.id}`, through(link.token))).body.photos).toHaveLength(1);
    }
  });
});

describe("the password of a share link", () => {
  test("is needed, and tells whoever has the token so", async () => {
    const album = await privateAlbum();
    const { token } = await share("album", album.id, { password: "pässwörter 1" });
    const path = `${api}/albums/${album.id}`;
    expect((await guest.get(`${api}/shared`, through(token))).status).toBe(401);
    expect((await guest.get(path, through(token))).status).toBe(404);
    expect((await guest.get(`${api}/shared`, through(token, "wrong"))).status).toBe(401);
    expect((await guest.get(path, through(token, "wrong"))).status).toBe(404);
    const sent = `UTF-8''${encodeURIComponent("pässwörter 1")}`;
    expect((await guest.get(path, through(token, sent))).status).toBe(200);
    expect((await guest.get(`${api}/shared`, through(token, "UTF-8''%zz"))).status).toBe(401);
    expect(server.logged()).not.toContain("wrong");
  });

  test("slows down wrong attempts, and does not refuse a page of pictures with the correct one", async () => {
    await using other = await startServer({ TRUST_PROXY: "loopback" });
    const people = await createPeople(other);
    const album = (await people.owner.post(`${api}/albums`, { name: "Album", visibility: "private" })).body;
    const sent = { kind: "album", id: album.id, password: "correct horse" };
    const { token } = (await people.owner.post(`${api}/shares`, sent)).body;
    const path = `${api}/albums/${album.id}`;
    const ask = async (password: string) => (await people.guest.get(path, through(token, password))).status;
    const page = await Promise.all(Array.from({ length: 40 }, () => ask("correct horse")));
    expect(new Set(page)).toEqual(new Set([200]));
    const guesses = [];
    for (let index = 0; index < 20; index++) guesses.push(await ask(`guess number ${index}`));
    expect(guesses.filter((status) => status === 404).length).toBeLessThanOrEqual(11);
    expect(guesses.at(-1)).toBe(429);
    const refused = await people.guest.get(`${api}/shared`, through(token, "one more"));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Who knows the password is not locked out by those elsewhere who do not.
    const elsewhere = { ...through(token, "correct horse"), "X-Forwarded-For": "192.0.2.7" };
    expect((await people.guest.get(path, elsewhere)).status).toBe(200);
  });
});
