import { expect, test } from "bun:test";
import { encodeQR } from "./qr.ts";

/** The rows as hexadecimal numbers. */
const drawn = (text: string) =>
  encodeQR(text)?.map((line) => Number.parseInt(line.map(Number).join(""), 2).toString(16));

const hashOf = (length: number) =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify(drawn("otpauth://totp/".slice(0, length).padEnd(length, "A"))))
    .digest("hex")
    .slice(0, 12);

test("the QR codes are those that zbar has read, in every size", () => {
  expect(drawn("VITRINE")?.join(" ")).toBe(
    "1fda7f 104541 174c5d 17535d 175d5d 105e41 1fd57f 1f00 1172f9 a8303 96272 1390d1 18eded 1dcd 1fd59a 104b23 17567d 174b07 17465c 1048d0 1fddd5",
  );
  expect([14, 26, 42, 62, 84, 106, 122, 152, 180, 213].map(hashOf)).toEqual([
    "728d7014540c",
    "d8a2de66c727",
    "df767d084e57",
    "aa2c1380c8d0",
    "8395c516a675",
    "2f5a772ca4c8",
    "fd178350048b",
    "ca6a4dbd6ce3",
    "c32b03a92aa2",
    "624ac5ca0843",
  ]);
});

test("a text that is too long for a small code has none", () => {
  expect(encodeQR("A".repeat(214))).toBeNull();
});
