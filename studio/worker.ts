/// <reference lib="webworker" />
/**
 * Shows the studio while there is no network: the page, all files of its build and its fonts are kept, and nothing of the API. The
 * application says that it is offline. What is kept is an extra: a storage that is slow, full or broken neither delays a
 * response nor fails it.
 */
import { keepShared } from "./uploads/shared-files.ts";

const worker = self as unknown as ServiceWorkerGlobalScope;

/** The build that this worker belongs to (bin/build.ts). Each has its own cache, so that files of two never mix. */
declare const studioBuild: { script: string; files: string[]; fonts: string[]; version: string };
const prefix = "studio-";
const cacheName = `${prefix}${studioBuild.version}`;
const shell = "/studio";
const assets = "/studio/assets/";
/** The fonts are those of the site. */
const fontPaths = studioBuild.fonts.map((file) => `/assets/${file}`);
const lookupMs = 500;
/** Where other apps of the phone send files (src/web/studio/app.ts). */
const sharePath = "/studio/share";

/** If a file cannot be loaded or kept, the worker is not installed, and the one before it stays. */
worker.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([keepBuild(), skipAPI(event)]).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([removeOldBuilds(), worker.clients.claim()]));
});

worker.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method === "POST" && pathname === sharePath) event.respondWith(takeShared(event.request));
  if (event.request.method !== "GET") return;
  // The browser also asks it about other addresses that begin so, such as /studio-tour.
  const isOurs = pathname === shell || pathname.startsWith(`${shell}/`);
  if (event.request.mode === "navigate" && isOurs) event.respondWith(openPage(event));
  else if (pathname.startsWith(assets) || fontPaths.includes(pathname)) event.respondWith(openAsset(event));
});

/** One file after the other, because a person is using the studio at the same time. */
async function keepBuild(): Promise<void> {
  const cache = await caches.open(cacheName);
  const paths = [...studioBuild.files.map((file) => assets + file), ...fontPaths];
  for (const path of paths) if (!(await cache.match(path))) await cache.add(path);
  const page = await fetch(shell);
  if (page.ok && !page.redirected) await keepPage(cache, page);
}

/** The page has the name of the site and its defaults. That of another build would not find its files here. */
async function keepPage(cache: Cache, response: Response): Promise<void> {
  const copy = response.clone();
  if ((await response.text()).includes(assets + studioBuild.script)) await cache.put(shell, copy);
}

/** That of the build before stays: tabs that are still open may load more of it. */
async function removeOldBuilds(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  for (const name of others.slice(0, -1)) await caches.delete(name);
}

/** Where the browser supports it, requests to the API do not pass the worker: uploads of many files take less time. */
async function skipAPI(event: ExtendableEvent & { addRoutes?: (rule: object) => Promise<void> }): Promise<void> {
  try {
    await event.addRoutes?.({ condition: { urlPattern: { pathname: "/api/*" } }, source: "network" });
  } catch {
    // Then they pass it.
  }
}

/** From the network, so that a new version or the end of a session is seen at once. */
async function openPage(event: FetchEvent): Promise<Response> {
  try {
    const response = await fetch(event.request);
    const copy = response.clone();
    inBackground(event, async (cache) => {
      if (copy.ok) await keepPage(cache, copy);
      // To the page for signing in: the person who uses the browser now does not see the studio without a network.
      else if (copy.type === "opaqueredirect") await cache.delete(shell);
    });
    return response;
  } catch {
    return (await findKept(shell)) ?? Response.error();
  }
}

/** Keeps what another app has shared. The screen asks what becomes of it, after signing in if need be. */
async function takeShared(request: Request): Promise<Response> {
  const next = new URL("/studio/photos?shared=kept", request.url);
  try {
    const sent = (await request.formData()).getAll("files");
    await keepShared(sent.filter((value) => value instanceof File));
  } catch {
    next.search = "shared=failed";
  }
  return Response.redirect(next, 303);
}

/** The URLs of assets change with their content. */
async function openAsset(event: FetchEvent): Promise<Response> {
  const lookup = findKept(event.request);
  const found = await Promise.race([lookup, sleep(lookupMs)]);
  if (found) return found;
  try {
    return await fetch(event.request);
  } catch {
    return (await lookup) ?? Response.error();
  }
}

async function findKept(key: RequestInfo): Promise<Response | undefined> {
  const options = { ignoreVary: true };
  try {
    const found = await (await caches.open(cacheName)).match(key, options);
    return found ?? (key === shell ? undefined : await caches.match(key, options));
  } catch {
    return undefined;
  }
}

function inBackground(event: FetchEvent, act: (cache: Cache) => Promise<void>): void {
  event.waitUntil(
    caches
      .open(cacheName)
      .then(act)
      .catch(() => {}),
  );
}

const sleep = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));
