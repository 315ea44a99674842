import type { Locator } from "playwright-core";
import type { Tab } from "../kit/browser.ts";

type Point = { x: number; y: number };

/** The fingers of a person with a phone. A tab with `hasTouch` has a place for them. */
export async function fingersOf({ page, context }: Tab) {
  const session = await context.newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  /** A picture of the screen is drawn between two moves, as it is for real fingers. */
  const move = async (points: Point[]) => {
    await touch("touchMove", points);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => resolve(null)))");
  };
  const slide = async (from: Point[], to: Point[]) => {
    for (const part of [0.25, 0.5, 0.75, 1]) await move(from.map((point, index) => between(point, to[index], part)));
  };

  return {
    async swipe(from: Point, to: Point): Promise<void> {
      await touch("touchStart", [from]);
      await slide([from], [to]);
      await touch("touchEnd", []);
    },
    /** The finger rests before it is lifted: after a swift move, a browser takes the next tap as the end of that move. */
    async pull(from: Point, to: Point): Promise<void> {
      await touch("touchStart", [from]);
      await slide([from], [to]);
      await page.waitForTimeout(300);
      await move([to]);
      await touch("touchEnd", []);
    },
    /** Two fingers on both sides of a point move apart, or together. */
    async pinch(around: Point, from: number, to: number): Promise<void> {
      const pair = (distance: number) => [-1, 1].map((side) => ({ x: around.x + (side * distance) / 2, y: around.y }));
      await touch("touchStart", pair(from));
      await slide(pair(from), pair(to));
      await touch("touchEnd", []);
    },
    /** A finger stays on something until `isDone`, for example until it is selected. */
    async hold(target: Locator, isDone: () => Promise<unknown>): Promise<void> {
      await touch("touchStart", [await middleOf(target)]);
      await isDone();
      await touch("touchEnd", []);
    },
    /** A finger rests on something, and then drags it to something else. */
    async drag(from: Locator, to: Locator): Promise<void> {
      const [start, end] = [await middleOf(from), await middleOf(to)];
      await touch("touchStart", [start]);
      await page.waitForTimeout(500);
      await slide([start], [end]);
      await touch("touchEnd", []);
    },
  };
}

function between(from: Point, to: Point = from, part: number): Point {
  return { x: Math.round(from.x + (to.x - from.x) * part), y: Math.round(from.y + (to.y - from.y) * part) };
}

export async function middleOf(target: Locator): Promise<Point> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${String(target)} is not shown.`);
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
}
