// Runs on the embedded engines only: what counts for whom does not depend on where it is counted.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { isLong } from "../kit/long.ts";
import { password } from "../kit/people.ts";
import { startServer, type TestServer } from "../kit/server.ts";

type Headers = Record<string, string>;

const fromHere = { "Sec-Fetch-Site": "same-origin" };
const fromElsewhere = { Origin: "https://elsewhere.example" };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ Cookie: `vitrine=${token}` });

/** An address that nobody has sent a request from. */
const newAddress = () => ({ "X-Forwarded-For": `2001:db8:${(++addresses).toString(16)}::1` });
let addresses = 0;

/** How many of `sent` requests at the same moment are admitted: the clock of the limits stands still. */
async function countAdmitted(send: () => Promise<Response>, sent: number): Promise<number> {
  const clock = spyOn(performance, "now").mockReturnValue(performance.now());
  let admitted = 0;
  for (let index = 0; index < sent; index++) {
    const response = await send();
    await response.arrayBuffer();
    if (response.status !== 429) admitted++;
  }
  clock.mockRestore();
  return admitted;
}

const settings: [name: string, limits: Record<string, string>, ofAddress: number][] = [
  ["the defaults", { RATE_LIMIT_PER_SECOND: "10", RATE_LIMIT_BURST: "30" }, 30],
  ["2 a second, 5 at once", { RATE_LIMIT_PER_SECOND: "2", RATE_LIMIT_BURST: "5" }, 5],
];

describe.each(isLong ? settings : settings.slice(1))("with %s", (_name, limits, ofAddress) => {
  const [ofAccount, ofPictures] = [1000, 600];
  let server: TestServer;
  let picture = "";
  beforeAll(async () => {
    server = await startServer({ ...limits, TRUST_PROXY: "loopback" });
    const { token } = await makePerson();
    const { body } = await client(server, token, 0, newAddress()).upload("a.png", png(40, 30));
    picture = `/api/v1/files/${body.id}/content`;
  });
  afterAll(() => server.close());

  let people = 0;
  /** Somebody whose account has sent nothing yet, with one of each: a token, a session and a key. */
  async function makePerson() {
    const account = { username: `person${++people}`, password };
    const guest = client(server, null, 0, newAddress());
    await guest.post("/signup", account);
    const { token } = (await guest.post("/signin", account)).body as { token: string };
    const { headers } = await guest.post("/session", account, fromHere);
    const session = /^vitrine=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? "";
    const made = await client(server, token, 0, newAddress()).post("/api/v1/keys", { name: "x", scopes: ["read"] });
    return { token, session, key: made.body.key as string };
  }

  const admit = (headers: Headers, { path = "/api/v1/photos", method = "GET", sent = 60 } = {}) => {
    const given = { ...newAddress(), ...headers };
    return countAdmitted(() => fetch(server.url + path, { method, headers: given }), sent);
  };

  test("everyone may send what an address may; people in a browser, app keys and pictures have wider limits", async () => {
    const [{ token }, { session }, { key }] = [await makePerson(), await makePerson(), await makePerson()];
    const many = { sent: 1100 };
    expect({
      anonymous: await admit({}),
      token: await admit(bearer(token)),
      session: await admit({ ...cookie(session), ...fromHere }, many),
      key: await admit(bearer(key), many),
      picture: await admit({}, { path: picture, sent: 700 }),
    }).toEqual({
      anonymous: ofAddress,
      token: ofAddress,
      session: ofAccount,
      key: ofAccount,
      picture: ofPictures,
    });
  });

  test("a token elsewhere than it was made for, a forged one and the cookie on another site count by address", async () => {
    const { token, session, key } = await makePerson();
    const other = await makePerson();
    const forge = (text: string) => text.slice(0, -4) + "AAAA";
    const byAddress: [string, Headers][] = [
      ["the token of the API as a cookie", { ...cookie(token), ...fromHere }],
      ["the token of a session as a token of the API", bearer(session)],
      ["that, beside the cookie", { ...bearer(session), ...cookie(session), ...fromHere }],
      ["a forged cookie", { ...cookie(forge(session)), ...fromHere }],
      ["a cookie of another kind", { ...cookie("x"), ...fromHere }],
      ["a forged token", bearer(forge(token))],
      ["a forged key", bearer(forge(key))],
      ["the cookie from another site", { ...cookie(session), ...fromElsewhere }],
      ["the cookie from a page of another site", { ...cookie(session), "Sec-Fetch-Site": "cross-site" }],
    ];
    for (const [name, headers] of byAddress) expect([name, await admit(headers)]).toEqual([name, ofAddress]);
    // A session that was revoked.
    const leaving = { ...newAddress(), ...cookie(other.session), ...fromHere };
    await fetch(`${server.url}/signout`, { method: "POST", headers: leaving });
    expect(await admit({ ...cookie(other.session), ...fromHere })).toBe(ofAddress);
  });

  test("the same for what changes something, for unknown paths, and for signing in and up", async () => {
    const { token, session } = await makePerson();
    const inBrowser = { ...cookie(session), ...fromHere };
    for (const [method, path] of [
      ["POST", "/api/v1/albums"],
      ["PUT", "/api/v1/photos/1"],
      ["DELETE", "/api/v1/blog/1"],
      ["GET", "/api/v1/nowhere"],
      ["PATCH", "/api/v1/me"],
    ] as const) {
      const name = `${method} ${path}`;
      expect([name, await admit(bearer(token), { path, method })]).toEqual([name, ofAddress]);
      expect([name, await admit(inBrowser, { path, method })]).toEqual([name, 60]);
    }
    for (const path of ["/signin", "/signup"]) {
      for (const headers of [{}, bearer(token), inBrowser])
        expect([path, await admit(headers, { path, method: "POST" })]).toEqual([path, ofAddress]);
    }
  });

  test("resumable uploads are limited as the API is, and MCP by account, whatever the token", async () => {
    const { token, key } = await makePerson();
    const upload = { path: "/api/v1/uploads", method: "POST" };
    expect(await admit(bearer(token), upload)).toBe(ofAddress);
    expect(await admit(bearer(key), upload)).toBe(60);
    expect(await admit({}, upload)).toBe(ofAddress);
    expect(await admit(bearer(token), { path: "/mcp", method: "POST" })).toBe(60);
    expect(await admit(bearer(key), { path: "/mcp", method: "POST" })).toBe(60);
    expect(await admit({}, { path: "/mcp", method: "POST" })).toBe(ofAddress);
  });
});
