import { expect, test } from "bun:test";
import { waitedBefore, withSharedDeadline } from "./deadline.ts";

/** A step of a request that takes at least so long. */
async function step(milliseconds: number): Promise<void> {
  const end = waitedBefore().begin();
  await Bun.sleep(milliseconds);
  end();
}

test("what a request waits for at the same time counts once, and one after the other is added up", async () => {
  await withSharedDeadline(async () => {
    const started = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => step(20)));
    await step(20);
    const elapsed = performance.now() - started;
    expect(waitedBefore().milliseconds()).toBeWithin(39, elapsed + 1);
  });
});

test("what runs now counts, too, and another request begins anew", async () => {
  await withSharedDeadline(async () => {
    const end = waitedBefore().begin();
    await Bun.sleep(20);
    expect(waitedBefore().milliseconds()).toBeGreaterThan(18);
    end();
  });
  withSharedDeadline(() => expect(waitedBefore().milliseconds()).toBe(0));
});
