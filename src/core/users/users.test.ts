import { describe, expect, test } from "bun:test";
import { decodeJwt, jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { sql } from "../../platform/database/sql.ts";
import { client, isoTime } from "../../../tests/kit/client.ts";
import { member, password, person, signedIn } from "../../../tests/kit/people.ts";
import { startServer, withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const secret = "a secret that only this test and its server know";
const key = new TextEncoder().encode(secret);

const server = useServer({ JWT_SECRET: secret });
const { guest } = server;
const ada = server.person("Ada");

describe("signing up", () => {
  test("a sign-up returns only a message; a sign-in returns a token, its expiry time and the user", async () => {
    const signedUp = await guest.post("/signup", { username: "shape", password });
    expect(signedUp.status).toBe(201);
    expect(signedUp.body).toEqual({ message: expect.any(String) });

    const { status, body } = await guest.post("/signin", { username: "shape", password });
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      expiresAt: expect.stringMatching(isoTime),
      user: {
        id: expect.any(Number),
        username: "shape",
        role: "author",
        createdAt: expect.stringMatching(isoTime),
      },
    });
    const me = await client(server, body.token).get("/api/v1/me");
    expect(me.body).toEqual(body.user);
    for (const secretWord of [password, "argon2", "hash"]) {
      expect(JSON.stringify([signedUp.body, body, me.body])).not.toContain(secretWord);
    }
  });

  test("the first account is an author like every other, not an admin", async () => {
    expect(ada.userID).toBe(1);
    expect((await ada.get("/api/v1/me")).body.role).toBe("author");
  });

  test("a client cannot set the id, role or timestamps", async () => {
    const wish = { id: 4711, role: "admin", createdAt: "1999-01-01T00:00:00.000Z", isAdmin: true };
    expect((await guest.post("/signup", { username: "wishful", password, ...wish })).status).toBe(201);
    const { user } = (await guest.post("/signin", { username: "wishful", password, role: "admin" })).body;
    expect(user.role).toBe("author");
    expect(user.id).not.toBe(4711);
    expect(user.createdAt).not.toStartWith("1999");
    expect(Object.keys(user).toSorted()).toEqual(["createdAt", "id", "role", "username"]);
  });

  test.each(["Ada", "ada", "ADA", "ａｄａ", "𝐀𝐝𝐚"])("%s is the same name as the existing Ada", async (username) => {
    const { status, body } = await guest.post("/signup", { username, password: "another password" });
    expect(status).toBe(400);
    expect(body.error).toContain("username");
    expect((await guest.post("/signin", { username, password: "another password" })).status).toBe(401);
    const signedIn = await guest.post("/signin", { username, password });
    expect(signedIn.body.user).toMatchObject({ id: ada.userID, username: "Ada" });
  });

  test("of many concurrent sign-ups with one name, one succeeds", async () => {
    const answers = await Promise.all(
      ["Race", "race", "RACE", "rAce"].map((username) => guest.post("/signup", { username, password })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400]);
  });

  test("case is ignored beyond ASCII, however the accents are encoded", async () => {
    expect((await guest.post("/signup", { username: "Ren\u00e9e.Stra\u00dfe", password })).status).toBe(201);
    const { body } = await guest.post("/signin", { username: "RENE\u0301E.STRASSE", password });
    expect(body.user.username).toBe("Ren\u00e9e.Stra\u00dfe");
    expect((await guest.post("/signup", { username: "rene\u0301e.strasse", password })).status).toBe(400);
  });

  test.each(["x", "Ünï.Cødé_-@+9", "名前", "سلام", "名".repeat(64)])(
    "%s is a valid username, stored as typed",
    async (username) => {
      expect((await guest.post("/signup", { username, password })).status).toBe(201);
      expect((await guest.post("/signin", { username, password })).body.user.username).toBe(username);
    },
  );

  test.each(["", " ", "a b", " ada", "ada ", "a/b", "<b>", "a:b", "a\tb", "😀", "a\u200bb", "名".repeat(65)])(
    "%j is no username",
    async (username) => {
      const { status, body } = await guest.post("/signup", { username, password });
      expect(status).toBe(400);
      expect(body.error).toContain("username");
      expect((await guest.post("/signin", { username, password })).status).toBe(401);
    },
  );

  test("a username has up to 64 characters, even if a character takes two UTF-16 units", async () => {
    const gothic = "\u{10330}";
    expect((await guest.post("/signup", { username: gothic.repeat(64), password })).status).toBe(201);
    expect((await guest.post("/signup", { username: gothic.repeat(65), password })).status).toBe(400);
  });

  test.each([
    ["eight characters", "tidenine"],
    ["blanks at both ends", "  tide  "],
    ["letters of any script", "p\u00e4ssw\u00f6rt \u{1f511}"],
    ["256 characters", "tide at nine ".repeat(20).slice(0, 256)],
  ])("a password may be %s", async (what, own) => {
    const username = what.replaceAll(" ", "-");
    expect((await guest.post("/signup", { username, password: own })).status).toBe(201);
    expect((await guest.post("/signin", { username, password: own })).status).toBe(200);
    expect((await guest.post("/signin", { username, password: `!${own.slice(1)}` })).status).toBe(401);
  });

  test("a password is stored as a hash of argon2id, with the cost that OWASP recommends", async () => {
    await guest.post("/signup", { username: "hashed", password });
    const row = await withDatabase(server, (db) =>
      db.get<{ hash: string }>(sql`SELECT password_hash AS hash FROM users WHERE username = ${"hashed"}`),
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  test.each([
    ["empty", ""],
    ["257 characters", "x".repeat(257)],
  ])("a password may not be %s", async (_what, own) => {
    const { status, body } = await guest.post("/signup", { username: "nobody", password: own });
    expect(status).toBe(400);
    expect(body.error).toContain("password");
    if (own) expect(JSON.stringify(body)).not.toContain(own);
  });
});

describe("signing in", () => {
  test("a wrong password and an unknown name get the same response, and no token", async () => {
    const wrong = await guest.post("/signin", { username: "Ada", password: "wrong password" });
    const unknown = await guest.post("/signin", { username: "no-such-name", password });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(unknown.body.error).toBe(wrong.body.error);
    expect(Object.keys(unknown.body)).toEqual(Object.keys(wrong.body));
    expect(wrong.body).not.toHaveProperty("token");
  });

  test("a password does not expire", async () => {
    await guest.post("/signup", { username: "faithful", password });
    await withDatabase(server, (db) =>
      db.transaction((tx) =>
        tx.run(sql`UPDATE users SET created_at = 0, updated_at = 0 WHERE username = ${"faithful"}`),
      ),
    );
    expect((await guest.post("/signin", { username: "faithful", password })).status).toBe(200);
  });

  test("an unknown name takes as long as a wrong password", async () => {
    await person(server, "timed");
    const known = await cheapestRefusal(Array(5).fill("timed") as string[]);
    const unknown = await cheapestRefusal(["nobody1", "nobody2", "nobody3", "nobody4", "nobody5"]);
    expect(unknown / known).toBeGreaterThan(0.4);
    expect(unknown / known).toBeLessThan(2.5);
  });
});

describe("tokens", () => {
  test("a token is a JWT that other libraries verify: HS256, 24 hours, sub and jti", async () => {
    const { body } = await guest.post("/signin", { username: "Ada", password });
    const { payload, protectedHeader } = await jwtVerify(body.token, key, { algorithms: ["HS256"] });
    expect(protectedHeader.alg).toBe("HS256");
    expect(payload.sub).toBe(String(ada.userID));
    // 128 random bits.
    expect(payload.jti).toMatch(/^[\w-]{22}$/);
    expect(payload.jti).not.toBe(decodeJwt(ada.token as string).jti);
    expect((payload.exp as number) - (payload.iat as number)).toBe(86_400);
    expect(Date.parse(body.expiresAt)).toBe((payload.exp as number) * 1000);
    expect(Object.keys(payload).toSorted()).toEqual(["exp", "iat", "jti", "sub"]);
  });

  test("a token that was changed, forged, expired or taken from another session is refused", async () => {
    const token = ada.token as string;
    const [head, body, signature] = token.split(".") as [string, string, string];
    const claims = decodeJwt(token);
    const now = Math.floor(Date.now() / 1000);
    const sign = (changed: object, alg = "HS256", by = key) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg, typ: "JWT" }).sign(by);
    expect((await client(server, await sign({})).get("/api/v1/me")).status).toBe(200);

    const forged: Record<string, string> = {
      "another payload with the old signature": `${head}.${encode({ ...claims, sub: "2" })}.${signature}`,
      "a changed signature": `${head}.${body}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      "no signature": `${head}.${body}.`,
      "an extra part": `${token}.${signature}`,
      "alg none": new UnsecuredJWT(claims).encode(),
      "alg none with the old signature": `${encode({ alg: "none", typ: "JWT" })}.${body}.${signature}`,
      "another algorithm": await sign({}, "HS512", new TextEncoder().encode(secret.repeat(2))),
      "another secret": await sign({}, "HS256", new TextEncoder().encode("x".repeat(48))),
      expired: await sign({ iat: now - 90_000, exp: now - 1 }),
      "a session that does not exist": await sign({ jti: crypto.randomUUID() }),
      "the session of another user": await sign({ sub: "2" }),
      "no jti": await sign({ jti: undefined }),
      "not a token": "token",
    };
    for (const [how, bad] of Object.entries(forged)) {
      const answer = await client(server, bad).get("/api/v1/me");
      expect([how, answer.status]).toEqual([how, 401]);
      expect(answer.body.error).toBeString();
      expect(answer.body).not.toHaveProperty("username");
    }
    for (const header of ["", "Bearer", "Bearer ", `Basic ${token}`, token, `Bearer ${token} ${token}`]) {
      const answer = await guest.get("/api/v1/me", { Authorization: header });
      expect([header, answer.status]).toEqual([header, 401]);
    }
  });

  test("signing out revokes this token immediately, and no other", async () => {
    const [here, there] = [await signedIn(server, "Ada"), await signedIn(server, "Ada")];
    const { status, body } = await here.post("/signout");
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });
    expect((await here.get("/api/v1/me")).status).toBe(401);
    expect((await here.post("/api/v1/albums", { name: "Too late" })).status).toBe(401);
    expect((await here.post("/signout")).status).toBe(401);
    expect((await there.get("/api/v1/me")).status).toBe(200);
    expect(JSON.stringify((await guest.get("/api/v1/albums")).body)).not.toContain("Too late");
  });

  test("changing the password revokes every other token of the account, but not the current one or those of others", async () => {
    const here = await person(server, "changing");
    const there = await signedIn(server, "changing");
    const newPassword = "quite another password";
    const change = (oldPassword: string) => here.put("/api/v1/me/password", { oldPassword, newPassword });

    expect((await change("not the old one")).status).toBe(400);
    expect((await there.get("/api/v1/me")).status).toBe(200);
    const { status, body } = await change(password);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String) });

    expect((await here.get("/api/v1/me")).status).toBe(200);
    expect((await there.get("/api/v1/me")).status).toBe(401);
    expect((await ada.get("/api/v1/me")).status).toBe(200);
    expect((await guest.post("/signin", { username: "changing", password })).status).toBe(401);
    expect((await guest.post("/signin", { username: "changing", password: newPassword })).status).toBe(200);
  });
});

describe("SIGNUP_ROLE", () => {
  test("reader: a new account may only comment", async () => {
    await using readers = await startServer({ SIGNUP_ROLE: "reader" });
    const author = await member(readers, "author", "author");
    const post = (await author.post("/api/v1/blog", { title: "Hello", content: "World" })).body;
    const reader = await person(readers, "reader");
    expect((await reader.get("/api/v1/me")).body.role).toBe("reader");
    expect((await reader.post("/api/v1/comments", { content: "Hi", blogPostID: post.id })).status).toBe(201);
    expect((await reader.post("/api/v1/albums", { name: "Mine" })).status).toBe(403);
    expect((await reader.upload("mine.txt", "mine")).status).toBe(403);
    expect((await reader.get("/api/v1/albums")).body).toEqual([]);
    expect((await reader.get("/api/v1/files")).body).toEqual([]);
  });

  test("closed: sign-up is refused, but existing accounts can sign in", async () => {
    await using closed = await startServer({ SIGNUP_ROLE: "closed" });
    const chief = await member(closed, "chief", "admin");
    expect((await chief.get("/api/v1/me")).body.role).toBe("admin");
    const late = await client(closed).post("/signup", { username: "late", password });
    expect(late.status).toBe(403);
    expect(late.body).toEqual(expect.objectContaining({ error: expect.any(String) }));
    expect((await client(closed).post("/signup", { username: "chief", password })).status).toBe(403);
    expect((await client(closed).post("/signin", { username: "late", password })).status).toBe(401);
  });

  test("closed: sign-up is refused before the input is validated", async () => {
    await using closed = await startServer({ SIGNUP_ROLE: "closed" });
    for (const body of [{ username: "late" }, { username: "a b", password }, {}]) {
      const answer = await client(closed).post("/signup", body);
      expect([body, answer.status]).toEqual([body, 403]);
    }
  });
});

/** In processor time: other work on the machine changes how long a refusal takes. */
async function cheapestRefusal(names: string[]): Promise<number> {
  const costs: number[] = [];
  for (const username of names) {
    const start = process.cpuUsage();
    await guest.post("/signin", { username, password: "wrong password" });
    const { user, system } = process.cpuUsage(start);
    costs.push(user + system);
  }
  return Math.min(...costs);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
