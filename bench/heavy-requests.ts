import { chief, shelf } from "./heavy-fill.ts";
import { account } from "./library-fill.ts";
import { bytesOf, post } from "./operations.ts";
import { ask, uncached } from "./request.ts";
import type { Running } from "./servers/vitrine.ts";

/** A whole list of a million records is not read to its end. */
const longestReadMs = 2000;

/** The most expensive requests to a site of `fillForGrowth`, by name. */
export async function heavyRequests(
  { url }: Running,
  records: number,
): Promise<Record<string, () => Promise<unknown>>> {
  const signIn = (json: object) => ask<{ token: string }>(`${url}/signin`, { method: "POST", json });
  const [{ token }, admin] = [await signIn(account), await signIn(chief)];
  const api = `${url}/api/v1`;
  const read = (path: string) => () => readSome(`${api}${path}`, uncached);
  const readOwn = (path: string) => () => readSome(`${api}${path}`, { Authorization: `Bearer ${token}` });
  const readAll = (path: string) => () => readSome(`${api}${path}`, { Authorization: `Bearer ${admin.token}` });
  const open = (path: string) => () => readSome(`${url}${path}`, uncached);
  const send = (path: string, json: unknown) => () => ask(`${api}${path}`, { method: "POST", token, json });
  const upload = () => {
    const form = new FormData();
    form.set("file", new File([bytesOf(1_000_000, Math.floor(performance.now()))], "large.bin"));
    return ask(`${api}/files`, { method: "POST", token, form });
  };
  const share = (kind: string, id: number) =>
    ask<{ token: string }>(`${api}/shares`, { method: "POST", token, json: { kind, id } });
  const entries = await ask<{ id: number; name: string }[]>(`${api}/files?cursor=&pageSize=100`);
  const shelfID = entries.find(({ name }) => name === shelf)?.id ?? 0;
  const [shared, sharedShelf] = [await share("album", 1), await share("directory", shelfID)];
  const trashAndRestore = async () => {
    await ask(`${api}/files/${shelfID}`, { method: "DELETE", token });
    const [entry] = await ask<{ id: number }[]>(`${api}/trash`, { token });
    await ask(`${api}/trash/${entry?.id}/restore`, { method: "POST", token });
  };
  const middle = Math.floor(records / 2);
  return {
    "1,000 photos in the middle": read(`/photos?pageSize=1000&page=${Math.max(1, middle / 1000)}`),
    "1,000 photos by date": read("/photos?sort=takenAt&pageSize=1000"),
    "1,000 photos of a tag and a camera": read("/photos?tag=sea&camera=X-T5&pageSize=1000"),
    "own photos": readOwn("/photos?owner=me&pageSize=1000"),
    "the timeline": read("/photos/timeline"),
    "the timeline of a tag, counted": read("/photos/timeline?tag=sea&camera=X-T5"),
    "1,000 posts": read("/blog?pageSize=1000"),
    "1,000 photos in the middle of an album": read(`/albums/1?pageSize=1000&page=${Math.max(1, middle / 1000)}`),
    "a whole album": read("/albums/1"),
    "a whole thread of comments": read("/comments?blogPostID=1"),
    "1,000 comments": read("/comments?blogPostID=1&cursor=&pageSize=1000"),
    "a whole directory": read("/files"),
    "1,000 entries of a directory": read("/files?cursor=&pageSize=1000"),
    "search for a common word": read("/search?q=photo"),
    "search for a common and a rare word": read("/search?q=photo%20w17"),
    "search for the first letters of a word": read("/search?q=ph%20w1"),
    "storage report": readOwn("/storage"),
    "storage report of 10,000 people": readAll("/storage"),
    "a page of the storage report of 10,000 people": readAll("/storage?pageSize=100"),
    "the page of the site": open("/"),
    "the page of all posts": open("/blog"),
    "the page of a post with many comments": open("/blog/p1"),
    "its comments in the middle": open(`/blog/p1?comments=${middle}`),
    "the page of photos": open("/photos"),
    "the page of a photo": open(`/photos/${middle + 1}`),
    "the page of an album": open("/albums/1-all-photos"),
    "the page of a person": open(`/people/${account.username}`),
    "the page of a directory": open("/browse"),
    "the page of a search": open("/search?q=photo%20w17"),
    "the feed": open("/feed.xml"),
    "the feed of an album": open("/albums/1-all-photos/feed.xml"),
    "the list of sitemaps": open("/sitemap.xml"),
    "a sitemap": open("/sitemap-1.xml"),
    "a shared album": open(`/s/${shared.token}`),
    "a shared directory of 10,000": open(`/s/${sharedShelf.token}`),
    "zip of a directory of 10,000": read(`/files/${shelfID}/zip`),
    "trash and restore a directory of 10,000": trashAndRestore,
    "move a photo in the middle of an album": () =>
      send("/albums/1/photos/move", { photoIDs: [1 + Math.floor(Math.random() * (middle - 1))], after: middle })(),
    "take a photo out of an album, and add it again": async () => {
      await ask(`${api}/albums/1/photos/1`, { method: "DELETE", token });
      await send("/albums/1/photos", { photoID: 1 })();
    },
    "an album, for an admin": readAll("/albums/1?pageSize=10"),
    "recent activity": readOwn("/activity"),
    "create a post": send("/blog", post("of the bench")),
    comment: send("/comments", { blogPostID: 1, content: "A remark." }),
    "create a photo": send("/photos", { title: "Photo", fileID: 1, width: 4000, height: 3000 }),
    "upload 1 MB": upload,
    "change 1,000 photos": send("/photos/batch", {
      ids: Array.from({ length: 1000 }, (_, index) => index + 1),
      addTags: ["walk"],
    }),
  };
}

/** A status other than success is an error. */
async function readSome(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers });
  if (!response.ok || !response.body) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  const until = performance.now() + longestReadMs;
  for await (const _chunk of response.body) if (performance.now() > until) return;
}
