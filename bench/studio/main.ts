// Measures the studio in a browser: npm run bench:studio. A full run writes its part of docs/operate/performance.md.
import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { launchBrowser } from "../../tests/kit/browser.ts";
import { fillPart, table } from "../charts/document.ts";
import { describeMachine } from "../machine.ts";
import { stopAll } from "../processes.ts";
import { startVitrine } from "../servers/vitrine.ts";
import { makeWorkDirectory } from "../work-directory.ts";
import { fillStudio } from "./fill.ts";
import { measureFirstLoad } from "./first-load.ts";
import { measureScroll } from "./scroll.ts";
import { measureTyping } from "./typing.ts";
import { measureUploads } from "./uploads.ts";

/** `isMet` is null if there is no goal, or nothing was measured. */
export type Row = { name: string; value: string; goal: string; isMet: boolean | null };

const only = process.argv.find((word) => word.startsWith("--only="))?.slice("--only=".length);
const isLarge = !process.argv.includes("--quick") && (!only || only === "scroll");
const photos = isLarge ? 100_000 : 10_000;

const loadBefore = os.loadavg()[0] ?? 0;
const directory = makeWorkDirectory();
const dataDir = join(directory, "data");
console.log(`Adding ${photos.toLocaleString("en-US")} photos…`);
await fillStudio(dataDir, photos);
const { url } = await startVitrine(dataDir);
const browser = await launchBrowser();
const parts = {
  load: () => measureFirstLoad(browser, url),
  scroll: () => measureScroll(browser, url, photos),
  typing: () => measureTyping(browser, url),
  uploads: () => measureUploads(browser, url, directory),
};
const rows: Row[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (only && only !== name) continue;
  console.log(`Measuring: ${name}`);
  rows.push(...(await measure()));
}
const browserVersion = browser.version();
await browser.close();
await stopAll();

const cells = ({ name, value, goal, isMet }: Row) => [name, value, goal, isMet === null ? "" : isMet ? "yes" : "no"];
const figures = table([["", "measured", "goal", "met"], ...rows.map(cells)]);
const [atStart, atEnd] = [loadBefore, os.loadavg()[0] ?? 0].map((load) => load.toFixed(1));
const about = `Measured on ${new Date().toISOString().slice(0, 10)} with Chromium ${browserVersion} on ${describeMachine()}. The load average was ${atStart} before and ${atEnd} after.`;
console.log(`\n${about}\n\n${figures}`);
if (!only && isLarge) {
  const document = new URL("../../docs/operate/performance.md", import.meta.url);
  writeFileSync(document, fillPart(readFileSync(document, "utf8"), "studio", `${about}\n\n${figures}`));
}
process.exit();
