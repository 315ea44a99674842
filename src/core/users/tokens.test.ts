import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CompactSign, decodeJwt, jwtVerify } from "jose";
import { client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const secret = "a secret that only this test and its server know";
const key = new TextEncoder().encode(secret);

let claims: Record<string, any>;
const server = useServer({ JWT_SECRET: secret });
beforeAll(async () => {
  claims = decodeJwt((await person(server, "ada")).token as string);
});

/** Signs any text, as another program with the same secret would. */
const sign = (text: string) =>
  new CompactSign(new TextEncoder().encode(text)).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(key);
const statusOf = async (token: string) => (await client(server, token).get("/api/v1/me")).status;
const withClaims = (changed: object) => JSON.stringify({ ...claims, ...changed });
const now = () => Math.floor(Date.now() / 1000);

describe("a signed token", () => {
  test("is valid with well-formed claims, including unknown ones", async () => {
    for (const more of [{}, { nbf: now() - 5 }, { iat: now() + 30 }, { aud: "x", iss: ["y"] }]) {
      expect(await statusOf(await sign(withClaims(more)))).toBe(200);
    }
  });

  test("is 401 if its claims are malformed or not currently valid", async () => {
    const noObjects = ["null", "[]", '"text"', "7", "true", "", " ", "{", "\u0000", "nonsense", `[${withClaims({})}]`];
    const bodies = [
      ...noObjects,
      "{}",
      ...[String(now() + 60), "Infinity", null, true, [now() + 60], {}, -1, 0].map((exp) => withClaims({ exp })),
      withClaims({}).replace(/"exp":\d+/, '"exp":1e999'),
      withClaims({}).replace(/"exp":\d+,?/, ""),
      ...[now() + 60, 1e15, "0", String(now() - 60), null, [], {}].map((nbf) => withClaims({ nbf })),
      withClaims({}).replace("{", '{"nbf":1e999,'),
      ...[now() + 120, 1e15, "text", null, [], {}].map((iat) => withClaims({ iat })),
      ...[1, 1.5, null, [], ["1"], {}, true, "", " ", "x", "-1", "0", "1.0", "1e0", "0x1", " 1", "1 ", "01"].map(
        (sub) => withClaims({ sub }),
      ),
      ...["99999999999999999999", "9007199254740993", "1e308", "NaN", "\u0000"].map((sub) => withClaims({ sub })),
      ...[1, null, [], [claims.jti], {}, true, "", "\u0000", "\ud800", `${claims.jti}\u0000`].map((jti) =>
        withClaims({ jti }),
      ),
    ];
    for (const body of bodies) expect([body, await statusOf(await sign(body))]).toEqual([body, 401]);
  });

  test("has one valid signature: other encodings of the same bytes are refused", async () => {
    const token = await sign(withClaims({}));
    const last = token.at(-1) as string;
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const sibling = alphabet[alphabet.indexOf(last) ^ 1] as string;
    for (const other of [`${token}=`, `${token.slice(0, -1)}${sibling}`]) expect(await statusOf(other)).toBe(401);
  });

  test("is accepted only if another library accepts it, whatever its claims are", async () => {
    const time = fc.oneof(fc.integer({ min: now() - 100, max: now() + 100 }), fc.double(), fc.jsonValue());
    const odd = fc.oneof(fc.constantFrom("1", "2", "x"), fc.jsonValue());
    const some = fc.record({ exp: time, nbf: time, iat: time, sub: odd, jti: odd }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(some.map(withClaims), fc.json()), async (body) => {
        const token = await sign(body);
        const status = await statusOf(token);
        const options = { algorithms: ["HS256"], requiredClaims: ["exp", "iat", "jti", "sub"] };
        const theirs = await jwtVerify(token, key, options).then(
          ({ payload }) => payload,
          () => null,
        );
        expect([200, 401]).toContain(status);
        if (status === 200) expect(theirs).toMatchObject({ sub: claims.sub, jti: claims.jti });
        const isOurs = theirs?.sub === claims.sub && theirs?.jti === claims.jti;
        // Only ours refuses what was issued in the future.
        if (isOurs && Number.isFinite(theirs?.exp) && Number(theirs?.iat) <= now()) expect(status).toBe(200);
      }),
      { numRuns: 300 },
    );
  });
});
