import { readFile, stat } from "node:fs/promises";
import { type Answer, textAnswer } from "../platform/http/answer.ts";
import { buildDirectory as directory } from "./built.ts";

/** The application as `npm run build` has built it. */
export type App = {
  /** The URLs of the files that the page loads; the script loads the others. */
  script: string;
  style: string;
  /** By their URLs, which change with their content. */
  assets: Map<string, Answer>;
  /** Shows the studio while there is no network. */
  worker: Answer;
  manifest: Answer;
};

/** What the build says of its result, in `build.json`. */
export type Build = { sources: string; script: string; style: string; files: string[] };

let loaded: { at: number; app: App } | null = null;

/** Null if the studio is not built. It may be built again while the server runs. */
export async function loadApp(): Promise<App | null> {
  const at = await findTime();
  if (at === null) return null;
  if (loaded?.at !== at) loaded = { at, app: await readApp() };
  return loaded.app;
}

async function findTime(): Promise<number | null> {
  try {
    return (await stat(new URL("build.json", directory))).mtimeMs;
  } catch {
    return null;
  }
}

async function readApp(): Promise<App> {
  const { script, style, files } = JSON.parse(await read("build.json")) as Build;
  const assets = files.map(async (file) => {
    const [text, zstd, br, gzip] = await Promise.all([
      read(file),
      readBytes(`${file}.zst`),
      readBytes(`${file}.br`),
      readBytes(`${file}.gz`),
    ]);
    const answer = textAnswer(file.endsWith(".css") ? "text/css" : "text/javascript", text);
    return [urlOf(file), { ...answer, isImmutable: true, precompressed: { zstd, br, gzip } }] as const;
  });
  return {
    script: urlOf(script),
    style: urlOf(style),
    assets: new Map(await Promise.all(assets)),
    worker: textAnswer("text/javascript", await read("worker.js")),
    manifest: textAnswer("application/manifest+json", manifest),
  };
}

const urlOf = (file: string) => `/studio/assets/${file}`;
const read = (file: string) => readFile(new URL(file, directory), "utf8");
const readBytes = async (file: string) => new Uint8Array(await readFile(new URL(file, directory)));

const manifest = JSON.stringify({
  name: "Studio",
  short_name: "Studio",
  id: "/studio/",
  start_url: "/studio/",
  scope: "/studio/",
  display: "standalone",
  background_color: "#fbfcfb",
  theme_color: "#0a6a55",
  icons: [192, 512].map((side) => ({ src: `/icon-${side}.png`, sizes: `${side}x${side}`, type: "image/png" })),
});
