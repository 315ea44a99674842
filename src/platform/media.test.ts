import { expect, test } from "bun:test";
import { typeOfName } from "./media.ts";

test("the content type depends on the extension alone", () => {
  const types = ["a.txt", "b.txt", "A.JPG", "a.b.hif", "x.NEF", "x.unknown"].map(typeOfName);
  expect(types).toEqual([
    "text/plain",
    "text/plain",
    "image/jpeg",
    "image/heif",
    "image/x-nikon-nef",
    "application/octet-stream",
  ]);
});

test("a name that only looks like an extension has none", () => {
  expect(["a.jpg", ".jpg", "jpg", "a."].map(typeOfName)).toEqual([
    "image/jpeg",
    "application/octet-stream",
    "application/octet-stream",
    "application/octet-stream",
  ]);
});
