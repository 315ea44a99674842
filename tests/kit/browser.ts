import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { findProgram, needs } from "./optional.ts";
import { until } from "./until.ts";

/** The installed Chromium or Chrome, or null. Without its user interface it needs less. */
export const browserPath =
  process.env.CHROMIUM ??
  findProgram("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

if (!browserPath && process.env.CI === "true") throw new Error("There is no browser; with CI=true that is a failure.");

export const {
  test: testInBrowser,
  testLong: testLongInBrowser,
  describe: describeInBrowser,
} = needs("a browser", Boolean(browserPath));

/** To a browser, a page of `vitrine.test` is one of another machine without HTTPS. No other machine is found. */
const hosts = "MAP vitrine.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";
const args = ["--no-sandbox", "--disable-dev-shm-usage", `--host-resolver-rules=${hosts}`];

export function launchBrowser(): Promise<Browser> {
  if (!browserPath) throw new Error("There is no browser.");
  return chromium.launch({ executablePath: browserPath, args });
}

let shared: Promise<Browser> | null = null;

/** One for all test files of this process, because a browser takes long to start. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => browser.once("disconnected", () => (shared = null)));
  return shared;
}

export const desktop = { width: 1280, height: 900 };
export const phone = { width: 390, height: 844 };

export type Tab = {
  page: Page;
  context: BrowserContext;
  /**
   * What the browser has complained about: errors of scripts, blocked content, requests to other origins, and responses
   * that are errors, such as `404 /nothing`. A story that ends before it has read them has failed: then the tab prints
   * what it shows.
   */
  readonly complaints: string[];
  open(path: string): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A tab of its own, with its own cookies. */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, viewport: desktop, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const status = /^Failed to load resource: .* status of (\d+)/.exec(message.text())?.[1];
    const { url: address } = message.location();
    complaints.push(status ? `${status} ${new URL(address).pathname}` : `${page.url()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== url && protocol.startsWith("http"))
      complaints.push(`${page.url()} loads from elsewhere: ${request.url()}`);
  });
  let isRead = false;
  return {
    page,
    context,
    get complaints() {
      isRead = true;
      return complaints;
    },
    async open(path) {
      await page.goto(path);
      return page;
    },
    async [Symbol.asyncDispose]() {
      if (!isRead) for (const page of context.pages()) console.error(await describePage(page), complaints);
      await context.close();
    },
  };
}

async function describePage(page: Page): Promise<string> {
  // A page that has crashed has no text.
  const text = await page.innerText("body", { timeout: 2000 }).catch(() => "");
  return `${page.url()}\n${text.slice(0, 600)}\n`;
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/**
 * Waits until an expression is true on the page. `waitForFunction` does so only if it is true at once: later, the policy of our
 * pages refuses to evaluate it.
 */
export async function whenTrue(page: Page, expression: string): Promise<void> {
  await until(() => page.evaluate(expression));
}

/** What makes the page hard to use for some people, one line each. With `rules`, only these are checked. */
export async function findBarriers(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    return (await axe.run({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) })).violations;
  }, rules);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}

type Violation = { id: string; help: string; nodes: { html: string }[] };
