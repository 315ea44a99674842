/**
 * Files that other apps of the phone have shared with the studio. The worker keeps them, whether or not anyone has signed in, until
 * a person decides what to do with them: any site can send a form to this address, so nothing is uploaded automatically.
 */
const cacheName = "shared-with-studio";
const prefix = "/studio/shared/";
const maxFiles = 1000;

/** Throws if there are too many, or if the device has not enough space. */
export async function keepShared(files: readonly File[]): Promise<void> {
  const cache = await caches.open(cacheName);
  if ((await cache.keys()).length + files.length > maxFiles) throw new Error("Too many files are shared.");
  for (const file of files) {
    const headers = {
      "Content-Type": file.type,
      "X-Name": encodeURIComponent(file.name.toWellFormed()),
      "X-Modified": String(file.lastModified),
    };
    await cache.put(prefix + crypto.randomUUID(), new Response(file, { headers }));
  }
}

/** In the order in which they were shared. */
export const readShared = (): Promise<File[]> =>
  useKept([], async (cache) => {
    const files = (await cache.keys()).map(async (key) => {
      const response = await cache.match(key);
      return response ? [await toFile(response)] : [];
    });
    return (await Promise.all(files)).flat();
  });

export const countShared = (): Promise<number> => useKept(0, async (cache) => (await cache.keys()).length);

export const forgetShared = (): Promise<unknown> => useKept(false, () => caches.delete(cacheName));

async function toFile(response: Response): Promise<File> {
  const { headers } = response;
  const name = decodeURIComponent(headers.get("x-name") ?? "");
  const type = headers.get("content-type") ?? "";
  return new File([await response.blob()], name, { type, lastModified: Number(headers.get("x-modified")) });
}

/** Browsers have no cache without HTTPS, and may forbid it. */
async function useKept<Result>(otherwise: Result, act: (cache: Cache) => Promise<Result>): Promise<Result> {
  try {
    return (await caches.has(cacheName)) ? await act(await caches.open(cacheName)) : otherwise;
  } catch {
    return otherwise;
  }
}
