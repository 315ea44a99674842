import { describe, expect, test } from "bun:test";
import { videoSecrets, samples, secretsInVideo, webm } from "../../../tests/kit/files/videos.ts";
import { stripPrivate } from "./metadata.ts";

describe.each([false, true])("a WebM video, as recorded by browsers: %p", (isLive) => {
  test("keeps its pictures at the same offsets, and loses tags, attachments and file names", () => {
    const bytes = webm({ isLive });
    for (const secret of [videoSecrets.place, videoSecrets.owner]) expect(secretsInVideo(bytes)).toContain(secret);
    const pieces = stripPrivate(bytes, "video/webm");
    const clean = Buffer.concat(pieces as Uint8Array[]);
    expect(secretsInVideo(clean)).toEqual([]);
    const [sample = ""] = samples.video;
    expect(clean.indexOf(sample)).toBe(Buffer.from(bytes).indexOf(sample));
    expect(stripPrivate(clean, "video/webm")).toBe("all");
  });

  test("that is truncated anywhere reveals no private data", () => {
    const bytes = webm({ isLive });
    for (let length = 0; length < bytes.length; length++) {
      const pieces = stripPrivate(bytes.subarray(0, length), "video/webm");
      const found = typeof pieces === "string" ? [] : secretsInVideo(Buffer.concat(pieces));
      expect([length, found]).toEqual([length, []]);
    }
  });
});

test.each([17, 33, 3])("a video with a track of type %p is visible only to its owner", (trackType) => {
  expect(stripPrivate(webm({ trackType }), "video/x-matroska")).toBe("none");
});
