import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database, Queries, Reader } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { create } from "../../src/features/uploads/tus.test.ts";
import { type Client, client, everything } from "../kit/client.ts";
import { isLong } from "../kit/long.ts";
import { password, signedIn } from "../kit/people.ts";
import { useScratch } from "../kit/scratch.ts";
import { startServer, type TestServer, withDatabase } from "../kit/server.ts";
import { api, createEverybody, fresh, type People } from "../kit/permissions/records.ts";
import { rows } from "../kit/permissions/rows.ts";
import { shareRows } from "../kit/permissions/share-rows.ts";

let server: TestServer;
let people: People;
let owner: Client;
const dataDir = useScratch();

beforeAll(async () => {
  server = await startServer({ DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: "true" });
  people = await createEverybody(server);
  ({ owner } = people);
});
afterAll(() => server.close());

/** The same client, which sends this Idempotency-Key with every POST. */
const keyed = (who: Client, key: string): Client => ({
  ...who,
  post: (path, body, headers) => who.post(path, body, { ...headers, "Idempotency-Key": key }),
});

const countKeys = (db: Reader) => db.get(sql`SELECT count(*) AS keys FROM idempotency_keys`);
const newKey = () => crypto.randomUUID();
const post = (title: string) => ({ title, content: "…" });
const isReplayed = (headers: Headers) => headers.get("idempotent-replayed") === "true";
const countPosts = async () => Number((await owner.get(`${api}/blog?pageSize=1`)).headers.get("x-total-count"));

describe("a POST that is repeated with its Idempotency-Key", () => {
  const repeatable = [...rows, ...shareRows].filter(
    ({ route, expected }) =>
      route.startsWith("POST ") &&
      expected[5] < 300 &&
      !/^POST \/(signin|session|files(\/known.*)?|uploads|blog\/preview|shares|shared\/uploads|webhooks|invitations|keys|account\/confirmation|account\/passkeys.*|signin\/passkey.*|newsletter\/import|albums\/:id\/uploads|users\/:id\/password-link)( |$)/.test(
        route,
      ),
  );
  test.each(repeatable.map((row) => [row.route, row] as const))("%s returns its first result", async (_, row) => {
    expect(repeatable.length).toBeGreaterThanOrEqual(10);
    for (const who of isLong ? [owner, people.admin] : [row.expected[4] < 300 ? owner : people.admin]) {
      const record = await row.prepare?.(people);
      const sender = keyed(who, newKey());
      const first = await row.send(sender, record);
      expect([first.status < 300, isReplayed(first.headers)]).toEqual([
        row.expected[who === owner ? 4 : 5] < 300,
        false,
      ]);
      if (first.status >= 300) continue;
      const before = await everything(server);
      const second = await row.send(sender, record);
      expect([second.status, second.body, isReplayed(second.headers)]).toEqual([first.status, first.body, true]);
      expect(second.headers.get("location")).toBe(first.headers.get("location"));
      expect(await everything(server)).toEqual(before);
    }
  });

  test("is a 409 with another body, path or query, and nothing is done", async () => {
    const sender = keyed(owner, newKey());
    const { body: album } = await sender.post(`${api}/albums`, { name: "First" });
    const before = await everything(server);
    for (const send of [
      () => sender.post(`${api}/albums`, { name: "Second" }),
      () => sender.post(`${api}/albums?x`, { name: "First" }),
      () => sender.post(`${api}/directories`, { name: "First" }),
      () => sender.post(`${api}/albums/${album.id}/photos`, { photoID: 1 }),
    ]) {
      const { status, body } = await send();
      expect([status, body.code, body.error]).toEqual([409, "conflict", expect.stringContaining("another request")]);
    }
    expect(await everything(server)).toEqual(before);
    expect((await sender.post(`${api}/albums`, { name: "First" })).body).toEqual(album);
  });

  test("has nothing to do with the same key of another caller", async () => {
    const key = newKey();
    const callers = [owner, people.admin, people.stranger];
    const answers = await Promise.all(callers.map((who) => keyed(who, key).post(`${api}/blog`, post("Same key"))));
    expect(answers.map(({ status, headers }) => [status, isReplayed(headers)])).toEqual(
      callers.map(() => [201, false]),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3);
    expect((await keyed(people.guest, key).post(`${api}/blog`, post("Same key"))).status).toBe(401);
    expect((await keyed(people.reader, key).post(`${api}/blog`, post("Same key"))).status).toBe(403);
  });

  test("creates one record, however many of them arrive at the same time", async () => {
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      const before = await countPosts();
      const sender = keyed(owner, newKey());
      const sent = Array.from({ length: 10 }, () => sender.post(`${api}/blog`, post(`Round ${round}`)));
      const answers = await Promise.all(sent);
      // Each waits for the one before it.
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(answers.filter(({ headers }) => !isReplayed(headers))).toHaveLength(1);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await countPosts()).toBe(before + 1);
    }
  });

  test("is carried out if the first request was refused", async () => {
    const sender = keyed(owner, newKey());
    expect((await sender.post(`${api}/blog`, { title: 1 })).status).toBe(400);
    expect((await sender.post(`${api}/blog`, "{")).status).toBe(400);
    expect((await sender.post(`${api}/albums/999999/photos`, "{")).status).toBe(404);
    expect((await sender.post(`${api}/albums/999999/photos`, { photoID: 1 })).status).toBe(404);
    expect((await sender.post(`${api}/blog`, post("Accepted"))).status).toBe(201);
  });

  test("is carried out again after a day", async () => {
    const old = newKey();
    const first = await keyed(owner, old).post(`${api}/blog`, post("Old"));
    await withDatabase(server, (db) =>
      db.transaction((tx) => tx.run(sql`UPDATE idempotency_keys SET expires_at = 1 WHERE name = ${old}`)),
    );
    const again = await keyed(owner, old).post(`${api}/blog`, post("Another one"));
    expect([again.status, isReplayed(again.headers), again.body.id === first.body.id]).toEqual([201, false, false]);
    const replayed = await keyed(owner, old).post(`${api}/blog`, post("Another one"));
    expect([replayed.body.id, isReplayed(replayed.headers)]).toEqual([again.body.id, true]);
  });

  test("returns its first result after a restart of the server", async () => {
    const key = newKey();
    const first = await keyed(owner, key).post(`${api}/blog`, post("Before the restart"));
    await server.close();
    server = await startServer({ DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: "true" });
    const names = { owner: "owner", author: "author", reader: "reader", stranger: "stranger", admin: "root" };
    const back = Object.entries(names).map(async ([who, name]) => [who, await signedIn(server, name)]);
    people = { ...Object.fromEntries(await Promise.all(back)), guest: client(server) };
    owner = people.owner;
    const second = await keyed(owner, key).post(`${api}/blog`, post("Before the restart"));
    expect([second.status, second.body, isReplayed(second.headers)]).toEqual([201, first.body, true]);
  });
});

describe("an Idempotency-Key", () => {
  test("has 1 to 255 visible ASCII characters", async () => {
    const before = await countPosts();
    for (const key of ["", " ", "a b", "a\tb", "é", "x".repeat(256), "x".repeat(5000)]) {
      const { status, body } = await keyed(owner, key).post(`${api}/blog`, post("Refused"));
      expect([key, status, body.error]).toEqual([key, 400, expect.stringContaining("Idempotency-Key must")]);
    }
    expect(await countPosts()).toBe(before);
    for (const key of ["x", "x".repeat(255), `"quoted"`, "'; DROP TABLE posts; --".replaceAll(" ", ""), "%00{}\\"]) {
      const first = await keyed(owner, key).post(`${api}/blog`, post("Accepted"));
      const second = await keyed(owner, key).post(`${api}/blog`, post("Accepted"));
      expect([first.status, second.body.id, isReplayed(second.headers)]).toEqual([201, first.body.id, true]);
    }
  });

  test("is refused for uploads, and ignored by sign-in and by other methods", async () => {
    const headers = { "Idempotency-Key": "upload" };
    const form = new FormData();
    form.set("file", new File(["x"], "x.txt"));
    expect((await owner.request("POST", `${api}/files`, { body: form, headers })).status).toBe(400);
    const upload = await create(
      {
        ...owner,
        request: (method, path, init) =>
          owner.request(method, path, { ...init, headers: { ...(init?.headers as object), ...headers } }),
      },
      10,
      { filename: "x.txt" },
    );
    expect(upload.status).toBe(400);
    const tokens = await Promise.all(
      ["owner", "owner"].map(async (username) => {
        const answer = await people.guest.post("/signin", { username, password }, headers);
        return [answer.status, isReplayed(answer.headers)];
      }),
    );
    expect(tokens).toEqual([
      [200, false],
      [200, false],
    ]);
    expect((await owner.get(`${api}/blog`, headers)).status).toBe(200);
  });

  test("does not store passwords or tokens", async () => {
    const username = "with-a-key";
    const sender = keyed(people.guest, newKey());
    const first = await sender.post("/signup", { username, password });
    const second = await sender.post("/signup", { username, password });
    expect([first.status, second.status, isReplayed(second.headers)]).toEqual([201, 201, true]);
    expect((await sender.post("/signup", { username, password: `${password}!` })).status).toBe(409);
    const stored = await withDatabase(server, (db) => db.all(sql`SELECT * FROM idempotency_keys`));
    const plain = new Bun.CryptoHasher("sha256").update(
      JSON.stringify(["POST", "/signup", "", { username, password }]),
    );
    expect(JSON.stringify(stored)).not.toContain(password);
    expect(JSON.stringify(stored)).not.toContain(plain.digest("hex"));
    expect(JSON.stringify(stored)).not.toContain("token");
  });

  test("is declared in the API document for every POST that supports it", async () => {
    const { paths } = (await people.guest.get("/openapi.json")).body;
    const operations = Object.entries<any>(paths).flatMap(([path, { post: operation }]) =>
      operation ? [[path, operation]] : [],
    );
    const without = operations.filter(
      ([, { parameters }]) => !parameters.some(({ name }: any) => name === "Idempotency-Key"),
    );
    expect(without.map(([path]) => path).toSorted()).toEqual([
      `${api}/account/confirmation`,
      `${api}/account/passkeys`,
      `${api}/account/passkeys/options`,
      `${api}/account/recovery-codes`,
      `${api}/account/totp`,
      `${api}/account/totp/confirmation`,
      `${api}/account/totp/removal`,
      `${api}/address-confirmations`,
      `${api}/albums/{id}/uploads`,
      `${api}/blog/preview`,
      `${api}/files`,
      `${api}/files/known`,
      `${api}/files/known-sizes`,
      `${api}/imports/{id}/resume`,
      `${api}/invitations`,
      `${api}/keys`,
      `${api}/mail/test`,
      `${api}/me/removal`,
      `${api}/newsletter/import`,
      `${api}/newsletter/subscriptions`,
      `${api}/password-links`,
      `${api}/password-resets`,
      `${api}/shared/uploads`,
      `${api}/shares`,
      `${api}/signin/factor`,
      `${api}/signin/passkey`,
      `${api}/signin/passkey/options`,
      `${api}/uploads`,
      `${api}/users/{id}/password-link`,
      `${api}/webhooks`,
      "/session",
      "/session/factor",
      "/session/passkey",
      "/signin",
    ]);
    for (const [path, { responses, operationId }] of operations) {
      if (!without.some(([other]) => other === path))
        expect([operationId, Boolean(responses[409])]).toEqual([operationId, true]);
    }
  });

  test("is not stored for a POST that only reads", async () => {
    const sender = keyed(owner, newKey());
    const before = await withDatabase(server, countKeys);
    for (const content of ["one", "two"]) {
      const { status, body } = await sender.post(`${api}/blog/preview`, { content });
      expect([status, body.html]).toEqual([200, expect.stringContaining(content)]);
    }
    expect((await sender.post(`${api}/files/known-sizes`, { size: [1] })).status).toBe(200);
    expect((await sender.post(`${api}/files/known`, { sha256: ["0".repeat(64)] })).status).toBe(200);
    expect(await withDatabase(server, countKeys)).toEqual(before);
  });

  test.each(isLong ? (["owner", "admin"] as const) : (["owner"] as const))(
    "keeps its response among the newest of its account (%s), with those of its app keys, and stays known after that",
    async (name) => {
      const who = people[name];
      for (const characters of [80_000, 700_000]) {
        const content = "word ".repeat(characters / 5);
        const { body: first } = await who.post(`${api}/blog`, { title: "Long", content });
        const path = `${api}/blog/${first.id}/revisions/1/restore`;
        await withDatabase(server, (db) => db.transaction((tx) => addResponses(tx, who.userID)));
        // More than may be kept.
        const keys = Array.from({ length: characters === 80_000 ? 12 : 4 }, newKey);
        for (const key of keys) expect((await keyed(who, key).post(path)).status).toBe(200);
        const { bytes } = (await withDatabase(server, (db) =>
          db.get<{ bytes: number }>(sql`
          SELECT CAST(sum(octet_length(body)) AS BIGINT) AS bytes FROM idempotency_keys WHERE owner_id = ${who.userID}`),
        )) as { bytes: number };
        expect(bytes).toBeLessThan(characters === 80_000 ? 800_000 : 1_500_000);
        const newest = await keyed(who, keys.at(-1) as string).post(path);
        expect([newest.status, isReplayed(newest.headers)]).toEqual([200, true]);
        const oldest = await keyed(who, keys[0] as string).post(path);
        expect([oldest.status, oldest.body.error]).toEqual([
          409,
          "This request was carried out, but its response is no longer stored.",
        ]);
      }
    },
  );

  /** Four of 400,000 bytes, which were sent to an app key of the person that is limited to an album. */
  const addResponses = async (tx: Queries, userID: number) => {
    const body = "x".repeat(400_000);
    for (const name of Array.from({ length: 4 }, newKey))
      await tx.run(sql`
        INSERT INTO idempotency_keys (caller, owner_id, name, fingerprint, expires_at, status, body, bytes)
        VALUES (${`user ${userID} key`}, ${userID}, ${name}, 'x', ${Date.now() + 3_600_000}, 200, ${body}, ${body.length})`);
  };

  test("is one of at most some thousand of its caller: the oldest go", async () => {
    const [old, kept] = [newKey(), newKey()];
    const fill = (db: Database, keys: number, age: number) =>
      db.transaction((tx) =>
        tx.run(sql`
          INSERT INTO idempotency_keys (caller, owner_id, name, fingerprint, expires_at, status, body)
          SELECT 'user ' || CAST(${people.stranger.userID} AS BIGINT), CAST(${people.stranger.userID} AS BIGINT),
            'filled-' || CAST(${age} AS BIGINT) || '-' || n, 'x', CAST(${Date.now() + 86_400_000 - age} AS BIGINT), 200, '{}'
          FROM (WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${keys})
            SELECT n FROM numbers) AS numbers`),
      );
    const { stranger } = people;
    await keyed(stranger, old).post(`${api}/blog`, post("Old"));
    await withDatabase(server, async (db) => {
      await db.transaction((tx) =>
        tx.run(sql`UPDATE idempotency_keys SET expires_at = ${Date.now() + 9000} WHERE name = ${old}`),
      );
      await fill(db, 2100, 3_600_000);
    });
    await keyed(stranger, kept).post(`${api}/blog`, post("Kept"));
    for (let number = 0; number < 101; number++) await keyed(stranger, newKey()).post(`${api}/albums`, { name: "a" });
    const count = sql`SELECT count(*) AS count FROM idempotency_keys WHERE owner_id = ${stranger.userID}`;
    const { count: keys } = (await withDatabase(server, (db) => db.get<{ count: number }>(count))) as { count: number };
    expect(keys).toBeLessThanOrEqual(2100);
    expect(isReplayed((await keyed(stranger, kept).post(`${api}/blog`, post("Kept"))).headers)).toBe(true);
    expect(isReplayed((await keyed(stranger, old).post(`${api}/blog`, post("Old"))).headers)).toBe(false);
  });

  test("of a permanently refused request takes no space", async () => {
    const key = newKey();
    const { id } = await fresh.post(people);
    expect((await keyed(people.stranger, key).post(`${api}/trash/${id}99/restore`)).status).toBe(404);
    const stored = await withDatabase(server, (db) => db.all(sql`SELECT * FROM idempotency_keys WHERE name = ${key}`));
    expect(stored).toEqual([]);
  });
});
