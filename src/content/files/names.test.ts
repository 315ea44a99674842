import { describe, expect, test } from "bun:test";
import { checkName, addNumber, orderKey, parsePath } from "./names.ts";

const inOrder = (names: string[]) =>
  names.toSorted((a, b) => Buffer.compare(Buffer.from(orderKey(a, false)), Buffer.from(orderKey(b, false))));

describe("file names", () => {
  test("are sorted with numbers in numeric order, ignoring case and accents", () => {
    const names = ["a", "Äpfel", "b", "img2", "IMG10", "img100", "v1.9", "v1.10", "Zebra"];
    expect(inOrder(names.toReversed())).toEqual([
      "a",
      "Äpfel",
      "b",
      "img2",
      "IMG10",
      "img100",
      "v1.9",
      "v1.10",
      "Zebra",
    ]);
  });

  test("directories come before files", () => {
    expect(orderKey("z", true) < orderKey("a", false)).toBe(true);
  });

  test("a number is added before the extension, and the name stays within the limit", () => {
    expect(addNumber("a.tar.gz", 2)).toBe("a.tar (2).gz");
    expect(addNumber(".profile", 1)).toBe(".profile (1)");
    const long = addNumber(`${"ü".repeat(125)}.jpg`, 12);
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
    expect(long.endsWith(" (12).jpg")).toBe(true);
    expect(long.includes("\uFFFD")).toBe(false);
  });

  test("are stored as typed, in NFC", () => {
    expect(checkName("Cafe\u0301")).toBe("Caf\u00e9");
  });

  test.each(["", " ", ".", "..", "a/b", "a\\b", "a\0b", "a\nb", "\u007f", "\ud800", "x".repeat(256)])(
    "%j is no name",
    (name) => expect(() => checkName(name)).toThrow(),
  );

  test("slashes at the ends of a path are ignored, a double one in the middle is refused", () => {
    expect(parsePath("/a/b/")).toEqual(["a", "b"]);
    expect(parsePath("a/b")).toEqual(["a", "b"]);
    expect(parsePath("/")).toEqual([]);
    expect(() => parsePath("a//b")).toThrow();
    expect(() => parsePath(Array(65).fill("a").join("/"))).toThrow("64");
  });
});
