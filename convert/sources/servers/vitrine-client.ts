import { z } from "zod";
import type { Remote } from "../../../src/platform/outgoing/remote.ts";
import { siteAlbum, siteComment, siteFile, sitePhoto, sitePost } from "../vitrine/site.ts";

const longestResponse = 2 ** 26;
const mostRecords = 5_000_000;

/** The token of a person who has a password. */
export async function signIn(remote: Remote, username: string, password: string): Promise<string> {
  const options = {
    method: "POST" as const,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  };
  const signedIn = z.object({ token: z.string() });
  return signedIn.parse(JSON.parse(await remote.text("/signin", longestResponse, options))).token;
}

/** The API of another site, as far as it is read. */
export function createVitrineClient(remote: Remote) {
  /** A list by cursor, to its end. */
  async function* list<Schema extends z.ZodType>(path: string, schema: Schema): AsyncGenerator<z.output<Schema>> {
    let count = 0;
    const seen = new Set<string>();
    for (let address: string | null = path; address !== null && !seen.has(address);) {
      seen.add(address);
      const { text, next }: { text: string; next: string | null } = await remote.page(address, longestResponse);
      const found = z.array(z.unknown()).parse(JSON.parse(text));
      for (const one of found) yield schema.parse(one);
      count += found.length;
      if (count > mostRecords) throw new Error(`${remote.url} returned too many pages.`);
      address = next;
    }
  }

  const pages = "cursor=&pageSize=500";
  return {
    async readMe() {
      const user = z.object({ id: z.int(), role: z.string() });
      const { id, role } = user.parse(JSON.parse(await remote.text("/api/v1/me", longestResponse)));
      const isAdmin = role === "admin";
      return { id, isAdmin, whose: isAdmin ? "visibility=all" : "owner=me" };
    },
    photos: (whose: string) => list(`/api/v1/photos?${whose}&${pages}`, sitePhoto),
    albums: (whose: string) => list(`/api/v1/albums?${whose}&${pages}`, siteAlbum),
    photosOf: (albumID: number) => list(`/api/v1/albums/${albumID}/photos?${pages}`, z.object({ id: z.int() })),
    posts: (whose: string, kind: "post" | "page") =>
      list(`/api/v1/blog?${whose}&kind=${kind}&sort=createdAt&order=asc&${pages}`, sitePost),
    comments: (postID: number) => list(`/api/v1/comments?blogPostID=${postID}&${pages}`, siteComment),
    directory: (path: string) => list(`/api/v1/files?path=${encodeURIComponent(path)}&${pages}`, siteFile),
  };
}
