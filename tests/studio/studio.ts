import type { Browser, BrowserContextOptions } from "playwright-core";
import { desktop, sharedBrowser, openTab, phone, type Tab } from "../kit/browser.ts";
import type { Client } from "../kit/client.ts";
import { admin } from "../kit/people.ts";
import { startServer, type TestServer } from "../kit/server.ts";
import { isLong } from "../kit/long.ts";
import { useOpened } from "../kit/use-opened.ts";
import { signIn } from "./sign-in.ts";
import { until } from "../kit/until.ts";

type Studio = {
  server: TestServer;
  browser: Browser;
  /** The person who has signed in, as a client of the API. */
  chief: Client;
  /** A tab in which a person has signed in: the admin, if no other name is given. */
  open(path: string, options?: BrowserContextOptions & { username?: string }): Promise<Tab>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A server with the studio, and a browser, while the tests of the `describe` that calls this run. */
export const useStudio = (env?: Record<string, string>): Studio => useOpened(() => startStudio(env));

/** A server with the studio, and a browser. */
async function startStudio(env: Record<string, string> = {}): Promise<Studio> {
  const server = await startServer(env);
  const browser = await sharedBrowser();
  const chief = await admin(server, "chief");
  return {
    server,
    browser,
    chief,
    async open(path, { username = "chief", ...options } = {}) {
      const tab = await openTab(browser, server.url, { locale: "en", ...withoutWorker, ...options });
      await signIn(tab, username);
      await tab.open(`/studio${path}`);
      await tab.page.getByRole("main").waitFor();
      return tab;
    },
    async [Symbol.asyncDispose]() {
      // Also those of stories that failed.
      for (const context of browser.contexts()) await context.close();
      await server.close();
    },
  };
}

/**
 * Tabs have no service worker unless they are opened with this: it takes time at every start, and requests that bypass it
 * cannot be intercepted. The stories about it have one, and so does the one that goes through all sections by keyboard.
 */
export const withWorker = { serviceWorkers: "allow" } as const;
const withoutWorker = { serviceWorkers: "block" } as const;

export const phoneOptions = { viewport: phone, hasTouch: true, isMobile: true };

const both = ["light", "dark"] as const;

/** In short runs, light on a desktop and dark on a phone. */
export const sizes = [
  {
    id: "desktop" as const,
    name: "at 1280 pixels",
    options: { viewport: desktop },
    colorSchemes: isLong ? both : (["light"] as const),
  },
  {
    id: "phone" as const,
    name: "at 390 pixels",
    options: phoneOptions,
    colorSchemes: isLong ? both : (["dark"] as const),
  },
];

/** The sizes of a story: in short runs only the one at which it is most at risk. */
export const sizesOf = (atRisk: "desktop" | "phone") => sizes.filter(({ id }) => isLong || id === atRisk);

/** Waits until the server has what the screen has shown before. */
export async function eventually<Result>(read: () => Promise<Result>, expected: Result): Promise<void> {
  await until(read, (found) => Bun.deepEquals(found, expected));
}
