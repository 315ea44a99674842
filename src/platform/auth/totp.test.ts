// Runs on the embedded engines only: it uses none.
import { expect, test } from "bun:test";
import { openSealedText, sealText } from "./sealed-text.ts";
import { findStep, stepAt, toBase32, totpCode, totpURI } from "./totp.ts";

const secret = toBase32(Buffer.from("12345678901234567890"));

test("codes are those of RFC 6238, of which six digits are shown", () => {
  expect(secret).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  const vectors: [number, string][] = [
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ];
  for (const [seconds, code] of vectors) expect(totpCode(secret, stepAt(seconds * 1000))).toBe(code.slice(2));
});

test("a code is accepted one step early or late, and never twice", () => {
  const now = stepAt(Date.now());
  const found = (step: number, last = 0) => findStep(secret, totpCode(secret, step), last);
  expect([found(now), found(now + 1)].every((step) => step !== null)).toBe(true);
  expect([found(now - 5), found(now + 5), found(now, now + 1)]).toEqual([null, null, null]);
});

test("a link for apps names the site and the account", () => {
  expect(totpURI(secret, { issuer: "Ada: photos", account: "ada@home" })).toBe(
    `otpauth://totp/Ada%20%20photos:ada%40home?secret=${secret}&issuer=Ada%3A%20photos`,
  );
});

test("a sealed text opens only with its secret, for its purpose", async () => {
  const sealed = await sealText("secret", "totp:1", "text");
  expect(sealed).not.toContain(Buffer.from("text").toString("base64url"));
  expect(await openSealedText("secret", "totp:1", sealed)).toBe("text");
  expect(await openSealedText("secret", "totp:2", sealed)).toBeNull();
  expect(await openSealedText("other", "totp:1", sealed)).toBeNull();
  expect(await openSealedText("secret", "totp:1", "AA")).toBeNull();
});
