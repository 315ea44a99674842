import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { client } from "../kit/client.ts";
import { startServer } from "../kit/server.ts";
import { browserPath, desktop, launchBrowser, openTab, phone } from "../kit/browser.ts";
import { setUpWithSamples } from "./set-up.ts";

/**
 * Lighthouse on the pages that visitors see first, on a phone and on a desktop: `npm run test:lighthouse`. It is installed
 * by npx. Fails if the median of three scores is below 98.
 */
const command = ["--yes", "lighthouse@12.8.2"];
const categories = ["performance", "accessibility", "best-practices", "seo"];
const least = 98;
const runs = 3;

const server = await startServer();
try {
  const paths = await prepare();
  for (const path of paths) {
    for (const form of ["phone", "desktop"] as const) {
      const scores = await measureOften(server.url + path, form);
      console.log(`${form.padEnd(8)}${scores.map((score) => String(score).padStart(4)).join("")}  ${path}`);
      if (scores.some((score) => score < least)) process.exitCode = 1;
    }
  }
} finally {
  await server.close();
}

/** A site with samples, and every page opened once: the first visit renders the variants of pictures. */
async function prepare(): Promise<string[]> {
  const browser = await launchBrowser();
  await setUpWithSamples(browser, server);
  const paths = await findPaths();
  for (const viewport of [phone, desktop]) {
    await using tab = await openTab(browser, server.url, { viewport });
    for (const path of paths) await tab.page.goto(path, { waitUntil: "networkidle" });
    for (const complaint of tab.complaints) console.error(complaint);
  }
  await browser.close();
  return paths;
}

async function findPaths(): Promise<string[]> {
  const guest = client(server);
  const [[post], [photo], [album]] = await Promise.all(
    ["blog?sort=publishedAt", "photos", "albums"].map(async (list) => (await guest.get(`/api/v1/${list}`)).body),
  );
  return ["/", `/blog/${post.slug}`, `/photos/${photo.id}`, `/albums/${album.id}`];
}

/** The median of the scores of each category. */
async function measureOften(url: string, form: "phone" | "desktop"): Promise<number[]> {
  const measured: number[][] = [];
  for (let run = 0; run < runs; run++) measured.push(await measure(url, form));
  return categories.map((_, index) => {
    const scores = measured.map((found) => found[index] ?? 0).toSorted((one, other) => one - other);
    return scores[Math.floor(runs / 2)] ?? 0;
  });
}

/** The score of each category. */
async function measure(url: string, form: "phone" | "desktop"): Promise<number[]> {
  const options = [
    "--quiet",
    "--output=json",
    `--only-categories=${categories.join(",")}`,
    "--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage",
    ...(form === "desktop" ? ["--preset=desktop"] : []),
  ];
  const { stdout } = await promisify(execFile)("npx", [...command, url, ...options], {
    env: { ...process.env, CHROME_PATH: browserPath ?? "" },
    maxBuffer: 2 ** 26,
    timeout: 180_000,
  });
  const found = JSON.parse(stdout).categories;
  return categories.map((category) => Math.round(found[category].score * 100));
}
