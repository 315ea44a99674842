import type { Locator, Page } from "playwright-core";
import type { Tab } from "../kit/browser.ts";

/** The hands of a person who has no mouse. */
export type Keys = {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Presses Tab, or another key, until this has the focus. Fails if the key does not lead there. */
  reach(target: Locator, key?: string): Promise<void>;
  /** Reaches a button or a link, and presses Enter. */
  use(target: Locator, key?: string): Promise<void>;
  /** A line of the menu that has just opened. */
  choose(name: string): Promise<void>;
  /** Whether this has the focus, as soon as it has it. */
  isAt(target: Locator): Promise<void>;
};

/** So many presses of a key are more than a person would make. */
const maxPresses = 80;

export function keysOf(page: Page): Keys {
  const focused = page.locator(":focus");
  const press: Keys["press"] = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const reach: Keys["reach"] = async (target, key = "Tab") => {
    await target.first().waitFor();
    const visited: string[] = [];
    for (let presses = 0; presses < maxPresses; presses++) {
      if ((await target.and(focused).count()) > 0) return;
      await page.evaluate(watchFocus);
      await press(key);
      visited.push(await page.evaluate<string>("focusIsMoved.then(() => describeFocus())"));
    }
    throw new Error(`The key ${key} does not lead to ${String(target)}, but to: ${visited.join(", ")}`);
  };
  const use: Keys["use"] = async (target, key) => {
    await reach(target, key);
    await press("Enter");
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    reach,
    use,
    async choose(name) {
      await page.getByRole("menu").locator(":focus").waitFor();
      await use(page.getByRole("menuitem", { name }).or(page.getByRole("menuitemcheckbox", { name })), "ArrowDown");
    },
    isAt: (target) => target.and(focused).waitFor(),
  };
}

/** A menu moves the focus a moment after the key. A key that moves nothing is given up soon. */
const watchFocus = `{
  globalThis.focusIsMoved = new Promise((resolve) => {
    addEventListener("focusin", resolve, { once: true, capture: true });
    setTimeout(resolve, 500);
  });
  globalThis.describeFocus = () => {
    const { tagName, ariaLabel, textContent } = document.activeElement ?? {};
    return tagName + " " + (ariaLabel || textContent || "").slice(0, 40);
  };
}`;

/**
 * From now on, a press of a mouse or of a finger is a complaint of the tab. Moves are none: a browser reports them itself
 * when a page changes under a mouse that rests.
 */
export async function forbidPointers({ page }: Tab): Promise<void> {
  await page.addInitScript(`addEventListener("pointerdown", () => console.error("A pointer was used."), true);`);
}
