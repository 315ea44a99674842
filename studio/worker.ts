/// <reference lib="webworker" />
/**
 * Shows the studio while there is no network: the page and its assets are kept as they were last loaded. It keeps nothing
 * of the API. The application says that it is offline. What is kept is an extra: a storage that is slow, full or broken
 * neither delays a response nor fails it.
 */
const worker = self as unknown as ServiceWorkerGlobalScope;
const cacheName = "studio-1";
const shell = "/studio/";
const lookupMs = 500;

worker.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([worker.skipWaiting(), skipAPI(event)]));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate" && pathname.startsWith(shell)) event.respondWith(openPage(event));
  else if (pathname.startsWith("/studio/assets/") || pathname.endsWith(".woff2")) event.respondWith(openAsset(event));
});

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
    if (response.ok && !response.redirected) keep(event, shell, response);
    return response;
  } catch {
    return (await findKept(shell)) ?? Response.error();
  }
}

/** The URLs of assets change with their content. Those that the current page does not load are removed after a while. */
async function openAsset(event: FetchEvent): Promise<Response> {
  const lookup = findKept(event.request);
  const found = await Promise.race([lookup, sleep(lookupMs)]);
  if (found) return found;
  try {
    const response = await fetch(event.request);
    if (response.ok) keep(event, event.request, response);
    return response;
  } catch {
    return (await lookup) ?? Response.error();
  }
}

async function findKept(key: RequestInfo): Promise<Response | undefined> {
  try {
    return await (await caches.open(cacheName)).match(key);
  } catch {
    return undefined;
  }
}

/** In the background. */
function keep(event: FetchEvent, key: RequestInfo, response: Response): void {
  const copy = response.clone();
  const store = async () => {
    const cache = await caches.open(cacheName);
    await cache.put(key, copy);
    await removeOldest(cache);
  };
  event.waitUntil(store().catch(() => {}));
}

const maxKept = 60;

async function removeOldest(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - maxKept))) await cache.delete(key);
}

const sleep = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));
