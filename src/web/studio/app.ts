import { type BuiltFile, findBuildTime, listBuiltFiles } from "../../platform/built-files.ts";
import { type Answer, textAnswer } from "../../platform/http/answer.ts";

/** The application as `npm run build` has built it. */
export type App = {
  /** The URLs of the files that the page loads; the script loads the others. */
  script: string;
  style: string;
  /** By their URLs, which change with their content. */
  assets: Map<string, BuiltFile>;
  /** Shows the studio while there is no network. */
  worker: Pick<BuiltFile, "read">;
  manifest: Pick<BuiltFile, "read">;
};

let loaded: { at: number; app: App } | null = null;

/** It may be built again while the server runs. */
export async function loadApp(): Promise<App> {
  const at = await findBuildTime("studio");
  if (loaded?.at !== at) loaded = { at, app: findApp() };
  return loaded.app;
}

function findApp(): App {
  const files = listBuiltFiles("studio");
  const get = (name: string) => {
    const found = files.get(name);
    if (!found) throw new Error(`The build of the studio has no ${name}.`);
    return found;
  };
  const worker = get("worker.js");
  files.delete("worker.js");
  return {
    script: urlOf(get("main.js")),
    style: urlOf(get("main.css")),
    assets: new Map(Array.from(files.values(), (file) => [urlOf(file), file])),
    worker: { read: async () => withScope(await worker.read()) },
    manifest: { read: async () => textAnswer("application/manifest+json", manifest) },
  };
}

/** A worker may otherwise control only what is below its own address, and /studio is not below /studio/. */
const withScope = (answer: Answer): Answer => ({
  ...answer,
  plain: { ...answer.plain, headers: { ...answer.plain.headers, "Service-Worker-Allowed": "/studio" } },
});

const urlOf = ({ file }: BuiltFile) => `/studio/assets/${file}`;

/** Where a phone sends what other apps share with the studio. */
export const sharePath = "/studio/share";

const manifest = JSON.stringify({
  name: "Studio",
  short_name: "Studio",
  id: "/studio/",
  start_url: "/studio",
  scope: "/studio",
  display: "standalone",
  background_color: "#fbfcfb",
  theme_color: "#0a6a55",
  // The worker takes what is sent there.
  share_target: {
    action: sharePath,
    method: "POST",
    enctype: "multipart/form-data",
    params: { files: [{ name: "files", accept: ["image/*", "video/*"] }] },
  },
  icons: [192, 512].map((side) => ({ src: `/icon-${side}.png`, sizes: `${side}x${side}`, type: "image/png" })),
});
