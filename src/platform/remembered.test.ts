import { expect, test } from "bun:test";
import { createRemembered } from "./remembered.ts";

test("only short texts are remembered, and not more of them than allowed", () => {
  const remembered = createRemembered<number>(10);
  const long = "a".repeat(501);
  remembered.set(long, 1);
  expect(remembered.get(long)).toBeUndefined();
  const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`);
  texts.forEach((text, index) => {
    remembered.set(text, index);
    expect(remembered.get(text)).toBe(index);
  });
  expect(texts.filter((text) => remembered.get(text) !== undefined).length).toBeLessThanOrEqual(10);
});

test("what is asked for again and again is not forgotten, however many others come", () => {
  const remembered = createRemembered<number | null>(10);
  remembered.set("frequent", null);
  for (let index = 0; index < 1000; index++) {
    remembered.set(`text ${index}`, index);
    expect(remembered.get("frequent")).toBeNull();
  }
});
