import { beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { basic, type Dav, davOf, hrefsIn, lockBody, makeKey } from "../../../tests/dav/client.ts";
import { measureDatabaseCost, metricsToken } from "../../../tests/kit/database-cost.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { until } from "../../../tests/kit/until.ts";

const api = "/api/v1";
const server = useServer({ MAX_UPLOAD_BYTES: "2000000", QUOTA_BYTES: "5000000", METRICS_TOKEN: metricsToken });
const { owner, stranger, reader } = server.everybody();
let own: Dav;
let other: Dav;
let weak: Dav;
beforeAll(async () => {
  own = await davOf(server, owner, "owner");
  other = await davOf(server, stranger, "stranger");
  weak = await davOf(server, reader, "reader");
});

const text = async (response: Response | Promise<Response>) => (await response).text();
const status = async (response: Promise<Response>) => (await response).status;
const fileAt = async (path: string) => (await owner.get(`${api}/files/dir/${path}`)).body;

describe("whoever opens the door", () => {
  test("is told without signing in what it is, and scripts of other sites are not let in", async () => {
    for (const path of ["/dav", "/dav/", "/dav/no/such"]) {
      const answer = await fetch(server.url + path, {
        method: "OPTIONS",
        headers: { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "PROPFIND" },
      });
      const { headers } = answer;
      expect([answer.status, headers.get("dav"), headers.get("ms-author-via")]).toEqual([200, "1, 2, 3", "DAV"]);
      expect(headers.get("allow")).toContain("PROPFIND");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("signs in with a username and a key for WebDAV, and with nothing else", async () => {
    const key = await makeKey(owner, "dav");
    const { body: session } = await server.guest.post("/signin", {
      username: "owner",
      password: "correct horse battery",
    });
    const ask = async (headers: Record<string, string>) =>
      fetch(`${server.url}/dav/`, { method: "PROPFIND", headers: { Depth: "0", ...headers } });
    const refused = await ask({});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Basic /)]);
    for (const Authorization of [
      basic("stranger", key),
      basic("owner", "correct horse battery"),
      basic("owner", session.token),
      `Bearer ${key}`,
      `Bearer ${session.token}`,
    ])
      expect([Authorization, (await ask({ Authorization })).status]).toEqual([Authorization, 401]);
    expect((await ask({ Cookie: `vitrine=${session.token}` })).status).toBe(401);
    expect((await ask({ Authorization: basic("owner", await makeKey(owner, "files:write")) })).status).toBe(403);
    expect((await ask({ Authorization: basic("OWNER", key) })).status).toBe(207);
  });

  test("who guesses is stopped, and the right key still works", async () => {
    const guess = () =>
      fetch(`${server.url}/dav/`, { headers: { Authorization: basic("owner", `vit_${"x".repeat(43)}`) } });
    let last = await guess();
    for (let tries = 0; tries < 20 && last.status === 401; tries++) last = await guess();
    expect([last.status, Number(last.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await status(own("PROPFIND", "", { headers: { Depth: "0" } }))).toBe(207);
  });
});

describe("the tree", () => {
  test("is that of the API, with its tags, names and times", async () => {
    expect(await status(own("MKCOL", "Caf%C3%A9"))).toBe(201);
    const put = await own("PUT", "cafe%CC%81/Men%C3%BC%20%231.txt", { body: "coffee" });
    expect(put.status).toBe(201);
    const file = await fileAt("Caf%C3%A9/Men%C3%BC%20%231.txt");
    expect(put.headers.get("etag")).toBe(`"${file.sha256}"`);
    const listed = await text(own("PROPFIND", "Caf%C3%A9/", { headers: { Depth: "1" } }));
    expect(hrefsIn(listed)).toEqual(["/dav/Café/", "/dav/Café/Menü %231.txt"]);
    expect(listed).toContain(`<d:getetag>&quot;${file.sha256}&quot;</d:getetag>`);
    expect(listed).toContain(`<d:getlastmodified>${new Date(file.createdAt).toUTCString()}</d:getlastmodified>`);
    expect(await status(own("MKCOL", "CAF%C3%89"))).toBe(405);
    const part = await own("GET", "caf%C3%A9/men%C3%BC%20%231.txt", { headers: { Range: "bytes=1-2" } });
    expect([part.status, await part.text(), part.headers.get("last-modified")]).toEqual([
      206,
      "of",
      new Date(file.createdAt).toUTCString(),
    ]);
    expect(await status(own("PROPFIND", "Caf%C3%A9", { headers: { Depth: "infinity" } }))).toBe(403);
    const { body: activity } = await owner.get(`${api}/activity?pageSize=5`);
    expect(activity.map(({ action, name }: any) => `${action} ${name}`)).toContain("created Menü #1.txt");
  });

  test("shows strangers what the API shows them, and lets them change nothing", async () => {
    await own("MKCOL", "hidden");
    await owner.put(
      `${api}/files/${(await owner.get(`${api}/files`)).body.find((one: any) => one.name === "hidden").id}`,
      {
        visibility: "private",
      },
    );
    await own("PUT", "hidden/secret.txt", { body: "x" });
    await own("MKCOL", "shown");
    await own("PUT", "shown/a.txt", { body: "x" });
    const rootOf = async (dav: Dav) => hrefsIn(await text(dav("PROPFIND", "", { headers: { Depth: "1" } })));
    expect(await rootOf(own)).toContain("/dav/hidden/");
    expect(await rootOf(other)).not.toContain("/dav/hidden/");
    for (const path of ["hidden", "hidden/secret.txt"]) {
      for (const method of ["GET", "DELETE", "PROPPATCH", "MOVE", "COPY"]) {
        const headers = { Destination: "/dav/stolen" };
        const body =
          method === "PROPPATCH"
            ? '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="y"/></prop></set></propertyupdate>'
            : null;
        expect([method, path, await status(other(method, path, { headers, body }))]).toEqual([method, path, 404]);
      }
      expect(await status(other("PROPFIND", path, { headers: { Depth: "0" } }))).toBe(404);
    }
    expect(await status(other("PUT", "hidden/new.txt", { body: "x" }))).toBe(409);
    for (const [method, headers, body] of [
      ["PUT", {}, "stolen"],
      ["DELETE", {}, null],
      ["MOVE", { Destination: "/dav/stolen" }, null],
      ["COPY", { Destination: "/dav/stolen" }, null],
      ["LOCK", {}, lockBody()],
    ] as const)
      expect([method, await status(other(method, "shown/a.txt", { headers, body }))]).toEqual([method, 403]);
    const note = '<propertyupdate xmlns="DAV:"><set><prop><note xmlns="x">mine</note></prop></set></propertyupdate>';
    expect(await status(own("PROPPATCH", "shown/a.txt", { body: note }))).toBe(207);
    const notesFor = async (dav: Dav) => text(dav("PROPFIND", "shown/a.txt", { headers: { Depth: "0" } }));
    expect(await notesFor(own)).toContain("mine");
    expect(await notesFor(other)).not.toContain("mine");
    expect(await status(other("PUT", "shown/new.txt", { body: "x" }))).toBe(403);
    expect(await status(other("PUT", "shown/.DS_Store", { body: "x" }))).toBe(403);
    expect(await status(weak("PUT", "x.txt", { body: "x" }))).toBe(403);
    expect(await text(weak("GET", "shown/a.txt"))).toBe("x");
    const picture = await owner.upload("p.png", png(3, 3), { path: "/shown" });
    const { body: seen } = await stranger.get(`${api}/files/${picture.body.id}`);
    expect((await other("HEAD", "shown/p.png")).headers.get("etag")).toBe(`"${seen.sha256}"`);
  });

  test("is written as safely as by the API", async () => {
    const { headers } = await own("PUT", "safe.txt", { body: "one" });
    const etag = headers.get("etag") ?? "";
    const races = await Promise.all(
      ["two", "three", "four"].map((body) => own("PUT", "safe.txt", { headers: { "If-Match": etag }, body })),
    );
    expect(races.map((one) => one.status).toSorted()).toEqual([204, 412, 412]);
    expect(await status(own("PUT", "safe.txt", { headers: { "If-None-Match": "*" }, body: "x" }))).toBe(412);
    const wrong = { "OC-Checksum": `SHA1:${"0".repeat(40)}` };
    expect(await status(own("PUT", "safe.txt", { headers: wrong, body: "damaged" }))).toBe(400);
    const right = { "OC-Checksum": `MD5:${new Bun.CryptoHasher("md5").update("five").digest("hex")}` };
    expect(await status(own("PUT", "safe.txt", { headers: right, body: "five" }))).toBe(204);
    const dated = await own("PUT", "safe.txt", { headers: { "X-OC-Mtime": "1000000000" }, body: "five" });
    expect([dated.status, dated.headers.get("x-oc-mtime")]).toEqual([204, "accepted"]);
    const { headers: read } = await own("HEAD", "safe.txt", { headers: {} });
    expect(read.get("last-modified")).toBe("Sun, 09 Sep 2001 01:46:40 GMT");
    expect(await status(own("PUT", "safe.txt", { body: "x".repeat(2_000_001) }))).toBe(400);
    await breakOff("safe.txt");
    expect(await text(own("GET", "safe.txt"))).toBe("five");
    const { id } = await fileAt("safe.txt");
    expect((await owner.get(`${api}/files/${id}/versions`)).body).toHaveLength(2);
    expect(await status(own("DELETE", "safe.txt"))).toBe(204);
    const { body: trash } = await owner.get(`${api}/trash`);
    expect(trash[0]).toMatchObject({ name: "safe.txt", recordID: id });
  });

  /** A client that announces more than it sends, and goes away. */
  async function breakOff(path: string): Promise<void> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const key = basic("owner", await makeKey(owner, "dav"));
    const head = ["X-Request-Id: broken-off", `Host: ${hostname}`, `Authorization: ${key}`, "Content-Length: 1000000"];
    socket.write(`PUT /dav/${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\nhalf`, () => socket.destroy());
    await until(server.logged, (text) => text.includes("broken-off"));
  }

  test("a program that saves by replacing a file saves the same file, with its versions and without traces in the trash", async () => {
    await own("PUT", "doc.txt", { body: "first" });
    const { id } = await fileAt("doc.txt");
    await own("PUT", "doc.tmp", { body: "second" });
    expect(await status(own("MOVE", "doc.tmp", { headers: { Destination: "/dav/doc.txt", Overwrite: "F" } }))).toBe(
      412,
    );
    expect(await status(own("MOVE", "doc.tmp", { headers: { Destination: `${server.url}/dav/doc.txt` } }))).toBe(204);
    expect(await fileAt("doc.txt")).toMatchObject({ id, size: 6 });
    expect((await owner.get(`${api}/files/${id}/versions`)).body).toHaveLength(1);
    const { body: trash } = await owner.get(`${api}/trash`);
    expect(trash.map(({ name }: any) => name)).not.toContain("doc.tmp");
    expect(await status(own("MOVE", "doc.txt", { headers: { Destination: "/dav/DOC.txt" } }))).toBe(201);
    expect(await fileAt("doc.txt")).toMatchObject({ id, name: "DOC.txt" });
    expect(await status(own("MOVE", "doc.txt", { headers: { Destination: "http://elsewhere.example/dav/x" } }))).toBe(
      502,
    );
  });

  test("what programs leave beside files is only seen over WebDAV", async () => {
    await own("MKCOL", "desk");
    const names = ["._a.txt", ".DS_Store", "Thumbs.db", "desktop.ini", "~$a.docx", ".~lock.a.odt%23"];
    for (const name of names) expect(await status(own("PUT", `desk/${name}`, { body: `of ${name}` }))).toBe(201);
    expect((await owner.get(`${api}/files?path=/desk`)).body).toEqual([]);
    expect(hrefsIn(await text(own("PROPFIND", "desk", { headers: { Depth: "1" } })))).toHaveLength(1 + names.length);
    expect(await text(own("GET", "desk/thumbs.db"))).toBe("of Thumbs.db");
    expect(hrefsIn(await text(other("PROPFIND", "desk", { headers: { Depth: "1" } })))).toHaveLength(1);
    const { body: found } = await owner.get(`${api}/search?q=DS_Store`);
    expect(JSON.stringify(found)).not.toContain("DS_Store");
    expect(JSON.stringify((await owner.get(`${api}/activity?pageSize=50`)).body)).not.toContain("DS_Store");
    await own("MOVE", "desk", { headers: { Destination: "/dav/desk2" } });
    expect(await status(own("PUT", "desk2/.DS_Store", { body: "new" }))).toBe(204);
    expect(await status(own("MOVE", "desk2/._a.txt", { headers: { Destination: "/dav/desk2/a.txt" } }))).toBe(201);
    expect(await fileAt("desk2/a.txt")).toMatchObject({ size: 10 });
    expect(await status(own("DELETE", "desk2/.DS_Store"))).toBe(204);
    expect(await status(own("GET", "desk2/.DS_Store"))).toBe(404);
  });

  test("says how much space is left, and takes no more", async () => {
    const body = '<propfind xmlns="DAV:"><prop><quota-available-bytes/><quota-used-bytes/></prop></propfind>';
    const readQuota = async () => {
      const answer = await text(own("PROPFIND", "", { headers: { Depth: "0" }, body }));
      return Array.from(answer.matchAll(/bytes>(\d+)</g), ([, bytes]) => Number(bytes));
    };
    const [available = 0, used = 0] = await readQuota();
    expect(available + used).toBe(5_000_000);
    expect(used).toBeGreaterThan(0);
    const large = (path: string) => own("PUT", path, { body: `${path}${"x".repeat(1_999_000)}` });
    expect(await status(large("1.bin"))).toBe(201);
    expect(await status(large("._2.bin"))).toBe(201);
    for (const path of ["3.bin", "._3.bin"]) expect([path, await status(large(path))]).toEqual([path, 507]);
    expect((await readQuota())[1]).toBe(used + 2 * 1_999_000 + "1.bin._2.bin".length);
    expect(await status(own("COPY", "1.bin", { headers: { Destination: "/dav/4.bin" } }))).toBe(507);
    expect(await status(own("DELETE", "._2.bin"))).toBe(204);
    expect(await status(large("3.bin"))).toBe(201);
  });

  test("ten thousand entries come in one list", async () => {
    await own("MKCOL", "many");
    const { id } = (await owner.get(`${api}/files`)).body.find(({ name }: any) => name === "many");
    await withDatabase(server, (db) =>
      db.transaction((tx) =>
        tx.run(sql`
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
          INSERT INTO files (parent_id, owner_id, name, name_key, order_key, size, is_private, created_at, updated_at)
          SELECT CAST(${id} AS BIGINT), CAST(${owner.userID} AS BIGINT), 'd' || n, 'd' || n, '0d' || n, 0, 0, 1, 1 FROM numbers`),
      ),
    );
    let listed: string[] = [];
    const { statements } = await measureDatabaseCost(server.url, 1, async () => {
      listed = hrefsIn(await text(own("PROPFIND", "many", { headers: { Depth: "1" } })));
    });
    expect([listed.length, new Set(listed).size]).toEqual([10_001, 10_001]);
    expect(statements).toBeLessThan(150);
    expect(await status(own("DELETE", "many"))).toBe(204);
  });
});

describe("whoever attacks", () => {
  test("gets no XML expanded, and none that is too deep or too long", async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY b "${"x".repeat(99)}"><!ENTITY c "&b;&b;">]><propfind xmlns="DAV:"><prop><a>&c;</a></prop></propfind>`;
    const outside = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><propfind xmlns="DAV:"><allprop/></propfind>';
    const deep = `<propfind xmlns="DAV:"><prop>${"<a>".repeat(5000)}${"</a>".repeat(5000)}</prop></propfind>`;
    const wide = `<propfind xmlns="DAV:"><prop>${"<a/>".repeat(5000)}</prop></propfind>`;
    const entity = '<propfind xmlns="DAV:"><prop><a>&nbsp;</a></prop></propfind>';
    for (const body of [bomb, outside, deep, wide, entity, "<", "no xml", "\u0000", new Uint8Array([0xff, 0xfe])])
      for (const method of ["PROPFIND", "PROPPATCH", "LOCK"])
        expect([body, await status(own(method, "", { headers: { Depth: "0" }, body }))]).toEqual([body, 400]);
    expect(await status(own("PROPFIND", "", { headers: { Depth: "0" }, body: " ".repeat(2 ** 18 + 1) }))).toBe(413);
  });

  test("holds no name with the lock of something that is gone, however often it is refreshed", async () => {
    const locked = await other("LOCK", "diary", { body: lockBody() });
    const token = locked.headers.get("lock-token") ?? "";
    const refresh = () => status(other("LOCK", "diary", { headers: { If: `(${token})` } }));
    expect([locked.status, await refresh()]).toEqual([201, 200]);
    const { id } = await fileAt("diary");
    expect((await stranger.put(`${api}/files/${id}`, { name: "diary of another" })).status).toBe(200);
    expect(await status(own("MKCOL", "diary"))).toBe(201);
    const diary = (await owner.get(`${api}/files`)).body.find(({ name }: any) => name === "diary");
    expect((await owner.put(`${api}/files/${diary.id}`, { visibility: "private" })).status).toBe(200);
    expect(await status(own("PUT", "diary/today.txt", { body: "x" }))).toBe(201);
    expect(await refresh()).toBe(412);
    expect(await status(own("DELETE", "diary"))).toBe(204);
    expect((await stranger.delete(`${api}/files/${id}`)).status).toBe(200);
  });

  test("cannot flood with locks or properties, and a lock keeps others out", async () => {
    await own("MKCOL", "locks");
    const lock = (path: string, scope?: string, headers = {}) =>
      own("LOCK", `locks/${path}`, { body: lockBody(scope), headers });
    const first = await lock("a.txt");
    expect(first.status).toBe(201);
    const token = first.headers.get("lock-token") ?? "";
    expect((await fileAt("locks/a.txt")).size).toBe(0);
    expect(await status(lock("a.txt", "shared"))).toBe(423);
    expect(await status(own("PUT", "locks/a.txt", { body: "x" }))).toBe(423);
    expect(await status(own("DELETE", "locks"))).toBe(423);
    expect(await status(own("PUT", "locks/a.txt", { body: "x", headers: { If: `(${token})` } }))).toBe(204);
    expect(await status(own("UNLOCK", "locks/b.txt", { headers: { "Lock-Token": token } }))).toBe(409);
    expect(await status(own("UNLOCK", "locks/a.txt", { headers: { "Lock-Token": token } }))).toBe(204);
    let added = 0;
    let answer = await lock("a.txt", "shared");
    for (; answer.status === 200; added++) answer = await lock("a.txt", "shared");
    expect([added, answer.status]).toEqual([200, 507]);
    await withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`UPDATE dav_locks SET expires_at = 1`)));
    expect(await status(own("DELETE", "locks/a.txt"))).toBe(204);
    const patch = (inner: string) =>
      own("PROPPATCH", "locks", {
        body: `<propertyupdate xmlns="DAV:"><set><prop>${inner}</prop></set></propertyupdate>`,
      });
    const many = Array.from({ length: 101 }, (_, index) => `<p${index} xmlns="x"/>`).join("");
    expect(await status(patch(many))).toBe(507);
    expect(await status(patch(`<big xmlns="x">${"x".repeat(70_000)}</big>`))).toBe(507);
    const kept = await text(own("PROPFIND", "locks", { headers: { Depth: "0" } }));
    expect(kept).not.toContain('xmlns:x="x"');
    expect(await text(patch('<getetag>"x"</getetag>'))).toContain("403 Forbidden");
  });

  test("gets no failure of the server by a path or a header", async () => {
    const strange = ["a%2Fb", "%zz", "%00", "..%2f..%2fx", "a".repeat(300), "x/".repeat(70), "%C3%28", "x%5Cy"];
    for (const path of strange)
      for (const method of ["PUT", "MKCOL", "GET", "PROPFIND", "MOVE", "LOCK"])
        expect([
          method,
          path,
          (await status(own(method, path, { headers: { Destination: `/dav/${path}x` } }))) < 500,
        ]).toEqual([method, path, true]);
    for (const headers of [
      { If: "(" },
      { If: "<x>" },
      { If: "()" },
      { Depth: "7" },
      { Overwrite: "x" },
      { Timeout: "x" },
    ])
      for (const method of ["PUT", "COPY", "LOCK", "PROPFIND"]) {
        const sent: Record<string, string> = { Destination: "/dav/y", ...headers };
        expect([method, headers, (await status(own(method, "x.txt", { headers: sent }))) < 500]).toEqual([
          method,
          headers,
          true,
        ]);
      }
    expect(await status(own("POST", ""))).toBe(405);
    for (const path of ["", "/"])
      for (const method of ["DELETE", "MKCOL", "PUT", "MOVE", "COPY"])
        expect(await status(own(method, path, { headers: { Destination: "/dav/y" } }))).toBeOneOf([403, 405]);
  });
});
