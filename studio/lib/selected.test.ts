import { describe, expect, test } from "bun:test";
import { addKeys, removeKeys, type Selected, selectNothing, selectOnly, selectRange, toggleKey } from "./selected.ts";

const order = [10, 20, 30, 40, 50];
const keysOf = ({ keys }: Selected<number>) => [...keys].toSorted((one, other) => one - other);

describe("the selection in a list", () => {
  test("has what was clicked, and no longer what was clicked again", () => {
    const both = toggleKey(toggleKey(selectNothing<number>(), 20), 40);
    expect(keysOf(both)).toEqual([20, 40]);
    expect(keysOf(toggleKey(both, 20))).toEqual([40]);
    expect(keysOf(both)).toEqual([20, 40]);
  });

  test("gets all from the last one to this one, in either direction, and keeps the others", () => {
    const first = toggleKey(toggleKey(selectNothing<number>(), 50), 20);
    expect(keysOf(selectRange(first, 40, order))).toEqual([20, 30, 40, 50]);
    expect(keysOf(selectRange(selectOnly(40), 20, order))).toEqual([20, 30, 40]);
  });

  test("has only the one that was clicked if there is none before it", () => {
    expect(keysOf(selectRange(selectNothing<number>(), 30, order))).toEqual([30]);
  });

  test("a range goes on from the end of the one before", () => {
    const twice = selectRange(selectRange(selectOnly(10), 20, order), 40, order);
    expect(keysOf(twice)).toEqual([10, 20, 30, 40]);
  });

  test("after the last one was deleted, a range has only the one that was clicked", () => {
    const left = removeKeys(toggleKey(selectOnly(20), 30), [30]);
    expect(keysOf(left)).toEqual([20]);
    expect(keysOf(selectRange(left, 50, [10, 20, 40, 50]))).toEqual([20, 50]);
  });

  test("of thousands is changed in one step", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    const all = addKeys(selectNothing<number>(), many);
    expect(all.keys.size).toBe(20_000);
    expect(selectRange(selectOnly(0), 19_999, many).keys.size).toBe(20_000);
    expect(keysOf(removeKeys(all, many.slice(1)))).toEqual([0]);
  });
});
