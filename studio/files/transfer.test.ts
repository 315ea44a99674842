import { describe, expect, test } from "bun:test";
import type { File } from "../../client/src/index.ts";
import { nameKey } from "./paths.ts";
import { findConflicts, isPossible } from "./transfer.ts";

const entry = (path: string, name: string, isDirectory = false) => ({ id: 1, path, name, isDirectory }) as File;
const namesOf = (...entries: File[]) => new Map(entries.map((one) => [nameKey(one.name), one]));

describe("a move", () => {
  test("goes neither to where the entry is, nor into itself or what is in it", () => {
    const lisbon = entry("/2026", "Lisbon", true);
    const to = (place: string) => isPossible({ entries: [lisbon], to: place, isCopy: false });
    expect(["/2026", "/2026/Lisbon", "/2026/Lisbon/day 1", "/", "/2026/Lisbon 2"].map(to)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  test("of several entries is possible if one of them can be moved", () => {
    const entries = [entry("/a", "one.txt"), entry("/b", "two.txt")];
    expect(isPossible({ entries, to: "/a", isCopy: false })).toBe(true);
  });

  test("has a conflict where the name is taken, whatever its case", () => {
    const [one, two] = [entry("/a", "One.txt"), entry("/a", "two.txt")];
    const names = namesOf(entry("/b", "one.TXT"), entry("/b", "three.txt"));
    expect(findConflicts({ entries: [one, two], to: "/b", isCopy: false }, names)).toEqual([one]);
  });
});

describe("a copy", () => {
  test("in the same directory gets another name, and is no conflict", () => {
    const one = entry("/a", "one.txt");
    const copy = { entries: [one], to: "/a", isCopy: true };
    expect([isPossible(copy), findConflicts(copy, namesOf(one))]).toEqual([true, []]);
  });

  test("of a directory does not go into itself", () => {
    expect(isPossible({ entries: [entry("/", "a", true)], to: "/a/b", isCopy: true })).toBe(false);
  });
});
