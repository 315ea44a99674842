/// <reference lib="webworker" />
/**
 * Shows the studio while there is no network: the page and its assets are kept as they were last loaded. It keeps nothing
 * of the API. The application says that it is offline.
 */
const worker = self as unknown as ServiceWorkerGlobalScope;
const cacheName = "studio-1";
const shell = "/studio/";

worker.addEventListener("install", (event) => {
  event.waitUntil(worker.skipWaiting());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate" && pathname.startsWith(shell)) event.respondWith(openPage(event.request));
  else if (pathname.startsWith("/studio/assets/")) event.respondWith(openAsset(event.request));
});

/** From the network, so that a new version or the end of a session is seen at once. */
async function openPage(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(shell, response.clone());
    return response;
  } catch {
    return (await cache.match(shell)) ?? Response.error();
  }
}

/** The URLs of assets change with their content. Those that the current page does not load are removed after a while. */
async function openAsset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    await removeOldest(cache);
  }
  return response;
}

const mostKept = 60;

async function removeOldest(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - mostKept))) await cache.delete(key);
}
