import type { Locator } from "playwright-core";
import type { Tab } from "../kit/browser.ts";
import { middleOf } from "./touch.ts";

/** Drops files and folders of this machine on something, as from a desktop. */
export async function dropPaths({ page, context }: Tab, target: Locator, paths: string[]): Promise<void> {
  const at = await middleOf(target);
  const session = await context.newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }
  await session.detach();
}
