import { describe, expect, test } from "bun:test";
import { hashPassword } from "../../platform/auth/passwords.ts";
import { createRateLimit } from "../../platform/limits/rate-limit.ts";
import { createLinkPasswords } from "./password.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";

const server = useServer({ TRUST_PROXY: "loopback", RATE_LIMIT_BURST: "5000" });
const people = server.people();

const right = "correct horse";

/** A link with a password, and a function that opens it from an address with a password. */
async function share() {
  const album = (await people.owner.post(`${api}/albums`, { name: "Album", visibility: "private" })).body;
  const sent = { kind: "album", id: album.id, password: right };
  const { token } = (await people.owner.post(`${api}/shares`, sent)).body;
  return async (password: string, address: string) => {
    const headers = { "X-Share-Token": token, "X-Share-Password": password, "X-Forwarded-For": address };
    return (await people.guest.get(`${api}/shared`, headers)).status;
  };
}

async function guess(open: Awaited<ReturnType<typeof share>>, count: number, addressOf: (index: number) => string) {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push(await open(`guess ${index}`, addressOf(index)));
  return statuses;
}

describe("wrong passwords of a link", () => {
  test("are bounded at an address: after ten, not even the right one is checked there, but at others, and for other links", async () => {
    const [one, other] = [await share(), await share()];
    const office = "192.0.2.1";
    const statuses = await guess(one, 30, () => office);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(12)).toEqual(Array(18).fill(429));
    expect(await one(right, office)).toBe(429);
    expect(await other(right, office)).toBe(200);
    expect(await one(right, "192.0.2.3")).toBe(200);
    expect(await one("a typing error", "192.0.2.3")).toBe(401);
  });

  test("from many addresses are bounded, too, and one address does not use up what is left to others", async () => {
    const limit = (burst: number) => createRateLimit({ perSecond: 1e-9, burst });
    const limits = { perAddress: limit(2), perLink: limit(4) };
    const { check } = createLinkPasswords("secret", limits);
    const link = { id: 1, passwordHash: await hashPassword(right) };
    const send = (password: string, address: string) =>
      check(link, password, address).catch(({ code }: { code: string }) => code);
    const guessesAt = async (address: string, count: number) => {
      const results = [];
      for (let index = 0; index < count; index++) results.push(await send(`guess ${index}`, address));
      return results;
    };
    expect(await guessesAt("192.0.2.1", 50)).toEqual([false, false, ...Array(48).fill("limited")]);
    expect(await send(right, "192.0.2.2")).toBe(true);
    // A page of pictures sends it many times at once.
    expect(new Set(await Promise.all(Array.from({ length: 40 }, () => send(right, "192.0.2.2"))))).toEqual(
      new Set([true]),
    );
    expect(await guessesAt("192.0.2.3", 1)).toEqual([false]);
    expect(await guessesAt("192.0.2.4", 1)).toEqual([false]);
    expect(await guessesAt("192.0.2.5", 1)).toEqual(["limited"]);
    expect(await send(right, "192.0.2.5")).toBe("limited");
  });
});
