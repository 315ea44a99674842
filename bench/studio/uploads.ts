import { randomFillSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { account } from "../library-fill.ts";
import { runCommand } from "../processes.ts";
import { ask } from "../request.ts";
import { median } from "../table.ts";
import { openStudio } from "./browser.ts";
import { draw } from "./fill.ts";
import type { Row } from "./main.ts";

/** `screen` is where the studio uploads them. On that of photos, both sides also make a photo of each file. */
type Case = { name: string; count: number; screen: "files" | "photos"; make: () => Promise<Uint8Array> };

const cases: Case[] = [
  { name: "1 file of 100 MB", count: 1, screen: "files", make: () => randomBytes(100_000_000) },
  { name: "100 files of 1 MB", count: 100, screen: "files", make: () => randomBytes(1_000_000) },
  { name: "20 pictures of 4 MB", count: 20, screen: "photos", make: drawLarge },
];
const rounds = 5;
/** As docs/build/uploading.md recommends for many files. */
const curlsAtOnce = 4;

/**
 * Files from the studio, and as many of the same size by curl to the same server, in turn. Each has new bytes, because the
 * studio does not send known ones.
 */
export async function measureUploads(browser: Browser, url: string, directory: string): Promise<Row[]> {
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: account });
  const form = new FormData();
  form.set("path", "/uploads");
  form.set("isDirectory", "true");
  await ask(`${url}/api/v1/files`, { method: "POST", token, form });
  const rows: Row[] = [];
  for (const one of cases) {
    const senders = {
      curl: (paths: string[]) => time(() => sendByCurl(url, token, one, paths)),
      studio: (paths: string[]) => sendByStudio(browser, url, one, paths),
      // What the browser itself takes, which is the least that the studio can take.
      ...(one.screen === "files" && { browser: (paths: string[]) => sendByBrowser(browser, url, paths) }),
    };
    const speeds = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
      const sides = Object.entries(senders);
      for (const [side, send] of [...sides.slice(round % sides.length), ...sides.slice(0, round % sides.length)]) {
        const { paths, bytes } = await write(one, directory, `${side}-${round}`);
        speeds.set(side, [...(speeds.get(side) ?? []), bytes / 1000 / (await send(paths))]);
      }
    }
    const compare = (side: string, to: string, goal: number | null): Row => {
      const others = speeds.get(to) ?? [];
      const ratios = (speeds.get(side) ?? []).map((speed, round) => speed / (others[round] ?? 0));
      const ratio = median(ratios);
      const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
      return {
        name: `upload of ${one.name}, ${side} / ${to}`,
        value: `${ratio.toFixed(2)} (${spread}; ${median(speeds.get(side) ?? []).toFixed(0)} MB/s)`,
        goal: goal?.toFixed(2) ?? "",
        isMet: goal === null ? null : ratio >= goal,
      };
    };
    rows.push(compare("studio", "curl", 0.8));
    if (speeds.has("browser")) rows.push(compare("browser", "curl", null), compare("studio", "browser", null));
  }
  return rows;
}

async function write({ name, count, screen, make }: Case, directory: string, side: string) {
  const folder = join(directory, "sent");
  mkdirSync(folder, { recursive: true });
  const ending = screen === "photos" ? "jpg" : "bin";
  const paths = Array.from({ length: count }, (_, index) =>
    join(folder, `${name.replaceAll(" ", "-")}-${side}-${index}.${ending}`),
  );
  let bytes = 0;
  for (const path of paths) {
    const content = await make();
    writeFileSync(path, content);
    bytes += content.length;
  }
  return { paths, bytes };
}

/** Almost as many: no two files of a camera have the same size. */
async function randomBytes(size: number): Promise<Uint8Array> {
  return randomFillSync(Buffer.alloc(size - Math.floor((Math.random() * size) / 100)));
}

let picture: Uint8Array | null = null;

/** One picture, with other bytes at its end each time. */
async function drawLarge(): Promise<Uint8Array> {
  picture ??= await draw(3000, 2000, 0);
  const rest = await randomBytes(Math.max(1000, 4_000_000 - picture.length));
  return Buffer.concat([picture, rest]);
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The form of `POST /api/v1/files`, and for pictures, `POST /api/v1/photos`. */
const script = `set -e
file=$(curl --silent --show-error --fail --header "$TOKEN" --form path=/uploads --form file=@"$1" "$URL/api/v1/files")
[ "$2" = files ] && exit
id=\${file#*\\"id\\":}
curl --silent --show-error --fail --header "$TOKEN" --header "Content-Type: application/json" \\
  --data "{\\"title\\":\\"Picture\\",\\"fileID\\":\${id%%,*}}" "$URL/api/v1/photos"`;

function sendByCurl(url: string, token: string, { screen }: Case, paths: string[]): Promise<unknown> {
  const env = ["env", `URL=${url}`, `TOKEN=Authorization: Bearer ${token}`];
  const each = ["xargs", "-P", String(curlsAtOnce), "-I{}", "sh", "-c", script, "sh", "{}", screen];
  const quoted = each.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  return runCommand([...env, "sh", "-c", `printf '%s\\n' "$@" | ${quoted}`, "sh", ...paths]);
}

/** Until the studio says so, which is after the server has stored the last one. */
async function sendByStudio(browser: Browser, url: string, { screen, count }: Case, paths: string[]): Promise<number> {
  const { page, close } = await openStudio(browser, url);
  await page.goto(screen === "photos" ? "/studio/photos" : "/studio/files/uploads");
  const button = page.getByRole("button", { name: screen === "photos" ? "Upload" : "New" }).first();
  await button.waitFor();
  await page.waitForTimeout(1000);
  const measured = page.evaluate<number>(`bench.upload("${count === 1 ? "1 file" : `${count} files`} uploaded")`);
  const choosing = page.waitForEvent("filechooser");
  await button.click();
  await page.getByRole("menuitem", { name: /files/ }).click();
  await (await choosing).setFiles(paths);
  const milliseconds = await measured;
  await close();
  return milliseconds;
}

/** A script in an empty page that sends the same forms as curl. */
async function sendByBrowser(browser: Browser, url: string, paths: string[]): Promise<number> {
  const { page, close } = await openStudio(browser, url);
  await page.goto("/livez");
  await page.evaluate(
    'document.body.append(Object.assign(document.createElement("input"), { type: "file", multiple: true }))',
  );
  await page.locator("input").setInputFiles(paths);
  const milliseconds = await page.evaluate<number>('bench.send(document.querySelector("input"), "/uploads")');
  await close();
  return milliseconds;
}
