import { describe, expect, test } from "bun:test";
import { changesOf, compareWithTheirs, type Draft, emptyDraft, slugsFor } from "./draft.ts";
import { mergeTexts } from "./merge.ts";

const base: Draft = { ...emptyDraft, title: "Ferries", content: "One.", slug: "ferries", tags: ["sea"] };

describe("what is sent of a draft", () => {
  test("is only what has changed", () => {
    expect(changesOf(base, { ...base })).toEqual({});
    expect(changesOf(base, { ...base, tags: ["sea"] })).toEqual({});
    expect(changesOf(base, { ...base, tags: ["sea", "sky"], commentsOpen: false })).toEqual({
      tags: ["sea", "sky"],
      commentsOpen: false,
    });
  });

  test("has no empty text and no empty slug; without a title it is untitled, and without an excerpt it has none", () => {
    expect(changesOf(base, { ...base, content: " \n", slug: "" })).toEqual({});
    expect(changesOf({ ...base, excerpt: "Short" }, { ...base, title: "  ", excerpt: " " })).toEqual({
      title: "Untitled",
      excerpt: null,
    });
  });
});

describe("what somebody else has changed", () => {
  test("is taken where nothing was changed here, and a conflict where both differ", () => {
    const mine = { ...base, content: "Mine", title: "Same" };
    const theirs = { ...base, content: "Theirs", title: "Same", tags: [] };
    expect(compareWithTheirs(base, mine, theirs)).toEqual({ taken: { tags: [] }, conflicts: ["content"] });
  });
});

describe("the slug of a draft", () => {
  test("follows its title, and has a number if that is taken", () => {
    expect(slugsFor(base, { ...base, title: "Night trains" })).toEqual([
      "night-trains",
      ...[2, 3, 4, 5].map((number) => `night-trains-${number}`),
    ]);
  });

  test("stays if somebody has chosen it, if it still fits, or if there is no title", () => {
    expect(slugsFor({ ...base, slug: "mine" }, { ...base, slug: "mine", title: "Trains" })).toEqual([]);
    expect(slugsFor(base, { ...base, slug: "chosen", title: "Trains" })).toEqual([]);
    expect(slugsFor({ ...base, slug: "ferries-2" }, { ...base, slug: "ferries-2", title: "Ferries!" })).toEqual([]);
    expect(slugsFor(base, { ...base, title: "" })).toEqual([]);
  });
});

describe("two texts", () => {
  test("are merged with the changes of both", () => {
    expect(mergeTexts("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nD\ne")).toBe("A\nb\nc\nD\ne");
  });

  test("have the lines of both where both have changed them, mine first", () => {
    expect(mergeTexts("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")).toBe("a\nmine\ntheirs\nc");
  });

  test("that are changed in the same way are changed once", () => {
    expect(mergeTexts("a\nb", "a\nB", "a\nB")).toBe("a\nB");
  });

  test("without what they come from have all lines", () => {
    expect(mergeTexts(null, "a\nmine\nz", "a\ntheirs\nz")).toBe("a\nmine\ntheirs\nz");
  });
});
