import { describe, expect, test } from "bun:test";
import { filmSecrets, samples, secretsInFilm, webm } from "../../../tests/films.ts";
import { stripPrivate } from "./metadata.ts";

describe.each([false, true])("a WebM film, as browsers record it: %p", (isLive) => {
  test("keeps what is seen where it is, and loses tags and attachments", () => {
    const bytes = webm({ isLive });
    expect(secretsInFilm(bytes)).toContain(filmSecrets.place);
    const pieces = stripPrivate(bytes, "video/webm");
    const clean = Buffer.concat(pieces as Uint8Array[]);
    expect(secretsInFilm(clean)).toEqual([]);
    const [sample = ""] = samples.video;
    expect(clean.indexOf(sample)).toBe(Buffer.from(bytes).indexOf(sample));
    expect(stripPrivate(clean, "video/webm")).toBe("all");
  });

  test("that was cut off anywhere gives no secret away", () => {
    const bytes = webm({ isLive });
    for (let length = 0; length < bytes.length; length++) {
      const pieces = stripPrivate(bytes.subarray(0, length), "video/webm");
      const found = typeof pieces === "string" ? [] : secretsInFilm(Buffer.concat(pieces));
      expect([length, found]).toEqual([length, []]);
    }
  });
});

test.each([17, 33, 3])("a film with a track of type %p is for its owner only", (trackType) => {
  expect(stripPrivate(webm({ trackType }), "video/x-matroska")).toBe("none");
});
