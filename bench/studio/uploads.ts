import { randomFillSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { account } from "../library-fill.ts";
import { runCommand } from "../processes.ts";
import { ask } from "../request.ts";
import { median } from "../table.ts";
import { openStudio } from "./browser.ts";
import type { Row } from "./main.ts";

const megabytes = 100;
const rounds = 5;

/** A large file from the studio, and one of the same size by curl, in turn. Each has new bytes: known ones are not sent. */
export async function measureUploads(browser: Browser, url: string, directory: string): Promise<Row[]> {
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: account });
  const { page, close } = await openStudio(browser, url);
  await page.goto("/studio/photos");
  await page.getByRole("button", { name: "Upload" }).first().waitFor();
  const ratios: number[] = [];
  const speeds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const byCurl = await time(() => sendByCurl(url, token, writeBytes(directory, `curl-${round}.bin`)));
    const byStudio = await time(() => sendByStudio(page, writeBytes(directory, `studio-${round}.bin`)));
    ratios.push(byCurl / byStudio);
    speeds.push(megabytes / (byStudio / 1000));
  }
  await close();
  const ratio = median(ratios);
  return [
    {
      name: `upload of ${megabytes} MB, studio / curl`,
      value: `${ratio.toFixed(2)} (${median(speeds).toFixed(0)} MB/s)`,
      goal: "0.80",
      isMet: ratio >= 0.8,
    },
  ];
}

function writeBytes(directory: string, name: string): string {
  const path = join(directory, name);
  writeFileSync(path, randomFillSync(Buffer.alloc(megabytes * 1_000_000)));
  return path;
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const curl = "curl --silent --show-error --fail --output /dev/null";

const sendByCurl = (url: string, token: string, path: string) => {
  const words = ["--header", `Authorization: Bearer ${token}`, "--form", `file=@${path}`, `${url}/api/v1/files`];
  return runCommand([...curl.split(" "), ...words]);
};

/** Until the server has said that it has the last byte. */
async function sendByStudio(page: Page, path: string): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload" }).first().click();
  await page.getByRole("menuitem").first().click();
  const chooser = await choosing;
  const total = megabytes * 1_000_000;
  const stored = page.waitForResponse(
    async (response) =>
      response.request().method() === "PATCH" && Number(await response.headerValue("upload-offset")) === total,
    { timeout: 120_000 },
  );
  await chooser.setFiles(path);
  await stored;
}
