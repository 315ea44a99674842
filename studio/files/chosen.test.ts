import { describe, expect, test } from "bun:test";
import { chooseEntry, chooseNothing, type EntrySelection, entriesOf, type How } from "./chosen.ts";
import { addLetter, findTyped, moveOf } from "./moves.ts";

const directoryOf = (...ids: number[]) => ({
  entries: ids.map((id) => ({ id })),
  indexOf: (id: number) => ids.indexOf(id),
});
const shown = directoryOf(11, 12, 13, 14, 15, 16);

/** Clicks on these places, one after the other. */
const click = (from: EntrySelection, ...clicks: [index: number, how?: How][]) =>
  clicks.reduce((chosen, [index, how]) => chooseEntry(chosen, shown, index, how), from);
const idsOf = ({ ids }: EntrySelection) => [...ids].toSorted((one, other) => one - other);

describe("the selection in a directory", () => {
  test("is the entry that was clicked last", () => {
    expect(click(chooseNothing, [1], [4])).toEqual({ ids: new Set([15]), activeID: 15, anchorID: 15 });
  });

  test("gets and loses single entries with Ctrl", () => {
    const three = click(chooseNothing, [0], [2, { isToggle: true }], [4, { isToggle: true }]);
    expect(idsOf(three)).toEqual([11, 13, 15]);
    expect(idsOf(click(three, [2, { isToggle: true }]))).toEqual([11, 15]);
  });

  test("is with Shift what lies between the anchor and the entry, in either direction, and the anchor stays", () => {
    const down = click(chooseNothing, [2], [4, { isRange: true }]);
    expect([idsOf(down), down.anchorID, down.activeID]).toEqual([[13, 14, 15], 13, 15]);
    expect(idsOf(click(down, [0, { isRange: true }]))).toEqual([11, 12, 13]);
  });

  test("with Ctrl and Shift, a range is added", () => {
    const some = click(chooseNothing, [0], [3, { isToggle: true }], [5, { isRange: true, isKept: true }]);
    expect(idsOf(some)).toEqual([11, 14, 15, 16]);
  });

  test("the keyboard moves with Ctrl and selects nothing", () => {
    const moved = click(chooseNothing, [1], [2, { isKept: true }], [3, { isKept: true }]);
    expect([idsOf(moved), moved.activeID]).toEqual([[12], 14]);
    expect(idsOf(click(moved, [3, { isToggle: true }]))).toEqual([12, 14]);
  });

  test("does not change by a click where no entry is", () => {
    const one = click(chooseNothing, [1]);
    expect(click(one, [6], [-1])).toBe(one);
  });

  test("after entries were deleted, has those that are left, in the order of the directory", () => {
    const some = click(chooseNothing, [4], [0, { isToggle: true }], [2, { isToggle: true }]);
    const left = directoryOf(11, 12, 15, 16);
    expect(entriesOf(some, left)).toEqual([{ id: 11 }, { id: 15 }]);
    // The anchor is gone: a range begins where it ends.
    expect(idsOf(chooseEntry(some, left, 3, { isRange: true }))).toEqual([16]);
  });

  test("of thousands of entries is in their order", () => {
    const many = directoryOf(...Array.from({ length: 5000 }, (_, index) => index));
    const ids = new Set(many.entries.map(({ id }) => id).toReversed());
    expect(entriesOf({ ids }, many)).toEqual(many.entries);
  });
});

describe("the keyboard", () => {
  const list = { columns: 1, isGrid: false, active: 3, rows: () => 20 };
  const grid = { columns: 4, isGrid: true, active: 3, rows: () => 5 };
  const keys = ["ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "PageDown", "PageUp", "Enter"];

  test("moves by rows and columns", () => {
    expect(keys.map((key) => moveOf(key, list))).toEqual([1, -1, null, null, 20, -20, null]);
    expect(keys.map((key) => moveOf(key, grid))).toEqual([4, -4, 1, -1, 20, -20, null]);
  });

  test("begins with the first entry", () => {
    expect(moveOf("ArrowDown", { ...list, active: -1 })).toBe(0);
    expect(moveOf("ArrowRight", { ...grid, active: -1 })).toBe(0);
  });

  test("finds what was typed, and another word after a pause", () => {
    const typed = ["P", "a"].reduce((text, letter, index) => addLetter(text, letter, 1000 + 100 * index), {
      text: "",
      at: 0,
    });
    expect(typed.text).toBe("pa");
    expect(addLetter(typed, "B", 1900).text).toBe("pab");
    expect(addLetter(typed, "B", 1901).text).toBe("b");
  });

  test("goes to the next entry with the letter, and from the last one to the first", () => {
    const entries = ["Albums", "parks", "Paris", "pears", "zoo"].map((name) => ({ name }));
    expect(findTyped(entries, "p", -1)).toBe(1);
    expect(findTyped(entries, "p", 1)).toBe(2);
    expect(findTyped(entries, "ppp", 3)).toBe(1);
    expect(findTyped(entries, "pa", 2)).toBe(2);
    expect(findTyped(entries, "pa", 3)).toBe(1);
    expect(findTyped(entries, "x", 0)).toBe(-1);
  });
});
