import { beforeAll, describe, expect, test } from "bun:test";
import { client, isoTime } from "../../../tests/kit/client.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { password } from "../../../tests/kit/people.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { sql } from "../../platform/database/sql.ts";
import { type Scope, scopes } from "../../platform/http/scopes.ts";
import { until } from "../../../tests/kit/until.ts";

const api = "/api/v1";
const path = `${api}/keys`;
const server = useServer({ TRUST_PROXY: "loopback" });
const owner = server.person("owner");
const stranger = server.person("stranger");
const admin = server.person("root", "admin");

const make = async (who: typeof owner, ...wanted: Scope[]) => {
  const { body } = await who.post(path, { name: "A program", scopes: wanted });
  return { ...body, program: client(server, body.key, who.userID) };
};

describe("an app key", () => {
  test("is shown once, and listed with its last use until it is removed", async () => {
    const { status, body: made, headers } = await owner.post(path, { name: "Phone", scopes: ["read", "read"] });
    const { key, ...listed } = made;
    expect([status, key]).toEqual([201, expect.stringMatching(/^vit_[\w-]{43}$/)]);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(listed).toEqual({
      id: expect.any(Number),
      name: "Phone",
      scopes: ["read"],
      directoryID: null,
      albumID: null,
      limitedTo: null,
      createdAt: expect.stringMatching(isoTime),
      expiresAt: null,
      lastUsedAt: null,
      lastAddress: null,
    });
    const program = client(server, key, 0, { "X-Forwarded-For": "203.0.113.9" });
    expect((await program.get(`${api}/me`)).body.username).toBe("owner");
    const read = async () => (await owner.get(path)).body.find(({ id }: any) => id === made.id);
    expect(await until(read, ({ lastUsedAt }) => lastUsedAt !== null)).toEqual({
      ...listed,
      lastUsedAt: expect.stringMatching(isoTime),
      lastAddress: "203.0.113.9",
    });
    expect((await stranger.delete(`${path}/${made.id}`)).status).toBe(404);
    expect((await owner.delete(`${path}/${made.id}`)).status).toBe(200);
    expect((await program.get(`${api}/me`)).status).toBe(401);
    expect((await owner.get(path)).body).toEqual([]);
    const stored = await withDatabase(server, (db) => db.all<{ key_hash: string }>(sql`SELECT key_hash FROM app_keys`));
    expect(stored.filter((row) => key.includes(row.key_hash))).toEqual([]);
  });

  test("expires, and stays when its owner changes the password", async () => {
    const { id, program } = await make(stranger, "read");
    await stranger.put(`${api}/me/password`, { oldPassword: password, newPassword: `${password} 2` });
    expect((await program.get(`${api}/me`)).status).toBe(200);
    const past = await owner.post(path, { name: "x", scopes: ["read"], expiresAt: "2001-01-01T00:00:00Z" });
    expect([past.status, past.body.field]).toEqual([400, "expiresAt"]);
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE app_keys SET expires_at = ${Date.now()} WHERE id = ${id}`)),
    );
    expect((await program.get(`${api}/me`)).status).toBe(401);
  });

  test("writes only what its scopes name, and reads only with the scope read", async () => {
    const { program: photos } = await make(owner, "photos:write");
    const file = await photos.upload("a.png", png(2, 2));
    const photo = await photos.post(`${api}/photos`, { title: "x", fileID: file.body.id });
    expect([file.status, photo.status]).toEqual([201, 201]);
    const refused = await photos.post(`${api}/blog`, { title: "x", content: "y" });
    expect([refused.status, refused.body.error]).toEqual([
      403,
      "This app key may not do this: it needs the scope blog:write.",
    ]);
    await owner.put(`${api}/photos/${photo.body.id}`, { visibility: "private" });
    expect((await photos.get(`${api}/photos/${photo.body.id}`)).status).toBe(404);
    const { program: reader } = await make(owner, "read");
    expect((await reader.get(`${api}/photos/${photo.body.id}`)).status).toBe(200);
    expect((await reader.delete(`${api}/photos/${photo.body.id}`)).status).toBe(403);
  });

  test("of an admin has no more rights than those of an author, unless it has the scope admin", async () => {
    const { body: post } = await owner.post(`${api}/blog`, { title: "x", content: "y", visibility: "private" });
    const { program: limited } = await make(admin, "read", "blog:write");
    expect((await limited.get(`${api}/blog/${post.id}`)).status).toBe(404);
    expect((await limited.get(`${api}/users`)).status).toBe(403);
    const { program: full } = await make(admin, "admin");
    expect((await full.get(`${api}/blog/${post.id}`)).status).toBe(200);
    expect((await full.get(`${api}/users`)).status).toBe(200);
    const forbidden = await owner.post(path, { name: "x", scopes: ["admin"] });
    expect([forbidden.status, forbidden.body.error]).toEqual([403, "Only admins can make a key with the scope admin."]);
  });

  test("ends its stream of events when it is removed", async () => {
    const { id, key } = await make(owner, "read");
    const stream = await fetch(`${server.url}${api}/events`, { headers: { Authorization: `Bearer ${key}` } });
    expect(stream.status).toBe(200);
    const ended = stream.text();
    await owner.delete(`${path}/${id}`);
    await owner.post(`${api}/blog`, { title: "x", content: "y", visibility: "private" });
    expect(await ended).not.toContain("blog");
  });
});

describe("every route", () => {
  let operations: { name: string; method: string; path: string; needed: string[] }[];
  beforeAll(async () => {
    const { body: document } = await owner.get("/openapi.json");
    operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).flatMap(([method, operation]) => {
        const needed = operation["x-required-scope"];
        return needed ? [{ name: operation.operationId, method: method.toUpperCase(), path, needed }] : [];
      }),
    );
  });

  test("asks for a person who has signed in where the account itself is at stake", () => {
    const names = operations.flatMap(({ name, needed }) => (needed.includes("session") ? [name] : []));
    expect(names.toSorted()).toEqual(accountOperations);
  });

  test.each(scopes.map((scope) => [scope]))(
    "lets a key with the scope %s do what it names, and nothing else",
    async (scope) => {
      const { key, id } = await make(scope === "admin" ? admin : owner, scope);
      for (const { name, method, path, needed } of operations) {
        const isIn = !needed.includes("session") && (scope === "admin" || needed.includes(scope));
        // What may be done is tried by the tests of each module.
        if (isIn) continue;
        const target = path.replaceAll(/\{\w+\}/g, "999999");
        const { status, body } = await client(server, key).request(method, target);
        expect([name, status, body.error]).toEqual([name, 403, expect.stringMatching(/^(This|An) app key /)]);
      }
      await (scope === "admin" ? admin : owner).delete(`${path}/${id}`);
    },
  );
});

const accountOperations = [
  "addPasskey",
  "beginTOTP",
  "changeNotices",
  "changeOwnAddress",
  "changePassword",
  "changeProfile",
  "confirmSession",
  "confirmTOTP",
  "createKey",
  "createPasswordLink",
  "downloadArchive",
  "endOtherSessions",
  "endSession",
  "listKeys",
  "listPasskeys",
  "listSessions",
  "preparePasskey",
  "readArchive",
  "readFactors",
  "readOwnMail",
  "removeArchive",
  "removeKey",
  "removeMe",
  "removePasskey",
  "removeSamples",
  "removeTOTP",
  "renamePasskey",
  "renewRecoveryCodes",
  "requestArchive",
  "resetFactors",
  "sendTestMail",
  "signOut",
];
