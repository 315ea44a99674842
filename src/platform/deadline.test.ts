import { expect, spyOn, test } from "bun:test";
import { waitedBefore, withSharedDeadline } from "./deadline.ts";

/** A clock that stands still until time passes on it. */
function startClock() {
  let time = 1000;
  const spy = spyOn(performance, "now").mockImplementation(() => time);
  return { pass: (milliseconds: number) => void (time += milliseconds), [Symbol.dispose]: () => spy.mockRestore() };
}

test("what a request waits for at the same time counts once, and one after the other is added up", () => {
  using clock = startClock();
  withSharedDeadline(() => {
    const ends = Array.from({ length: 50 }, () => waitedBefore().begin());
    clock.pass(20);
    for (const end of ends) end();
    // Between them, it does not wait.
    clock.pass(7);
    const end = waitedBefore().begin();
    clock.pass(20);
    end();
    expect(waitedBefore().milliseconds()).toBe(40);
  });
});

test("what runs now counts, too, and another request begins anew", () => {
  using clock = startClock();
  withSharedDeadline(() => {
    const end = waitedBefore().begin();
    clock.pass(20);
    expect(waitedBefore().milliseconds()).toBe(20);
    end();
  });
  withSharedDeadline(() => expect(waitedBefore().milliseconds()).toBe(0));
});
