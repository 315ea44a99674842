import type { CallAPI } from "./call-api.ts";
import { codes, Refusal } from "./json-rpc.ts";
import { findNext, readError, readPicture } from "./results.ts";

const perPage = 50;
/** Characters of a post. */
const maxPost = 1_000_000;

export const templates = [
  {
    name: "post",
    title: "A post as Markdown",
    uriTemplate: "vitrine://posts/{id}",
    mimeType: "text/markdown",
  },
  {
    name: "photo",
    title: "A photo as a small picture",
    uriTemplate: "vitrine://photos/{id}",
    mimeType: "image/jpeg",
  },
];

type Resource = { uri: string; name: string; description?: string; mimeType: string };
type Contents = { uri: string; mimeType: string } & ({ text: string } | { blob: string });

type Post = { id: number; title: string; excerpt: string; content: string };
type Photo = { id: number; title: string | null; description: string | null };

const lists = {
  posts: {
    path: "/api/v1/blog",
    describe: ({ id, title, excerpt }: Post): Resource => ({
      uri: `vitrine://posts/${id}`,
      name: title,
      description: excerpt.slice(0, 200),
      mimeType: "text/markdown",
    }),
  },
  photos: {
    path: "/api/v1/photos",
    describe: ({ id, title, description }: Photo): Resource => ({
      uri: `vitrine://photos/${id}`,
      name: title || `Photo ${id}`,
      ...(description && { description: description.slice(0, 200) }),
      mimeType: "image/jpeg",
    }),
  },
};

/** All posts of the owner of the key, and then all photos, page by page. Those of others can be read as well. The cursor is that of the list, after its name. */
export async function listResources(
  callAPI: CallAPI,
  cursor = "posts:",
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const [, name, position = ""] = /^(posts|photos):([\w-]*)$/.exec(cursor) ?? [];
  if (name !== "posts" && name !== "photos") throw new Refusal(codes.invalidParams, "The cursor is malformed.");
  const { path, describe } = lists[name];
  const response = await callAPI({ method: "GET", target: `${path}?owner=me&cursor=${position}&pageSize=${perPage}` });
  await refuseFailed(response);
  const next = findNext(response);
  const following = next === null ? (name === "posts" ? "photos:" : undefined) : `${name}:${next}`;
  const records = (await response.json()) as (Post & Photo)[];
  return { resources: records.map(describe), ...(following && { nextCursor: following }) };
}

export async function readResource(callAPI: CallAPI, uri: string): Promise<{ contents: Contents[] }> {
  const [, kind, id] = /^vitrine:\/\/(posts|photos)\/([1-9]\d{0,14})$/.exec(uri) ?? [];
  if (!id) throw new Refusal(codes.notFound, "There is no such resource.");
  return { contents: [kind === "posts" ? await readPost(callAPI, uri, id) : await readPhoto(callAPI, uri, id)] };
}

async function readPost(callAPI: CallAPI, uri: string, id: string) {
  const response = await callAPI({ method: "GET", target: `/api/v1/blog/${id}` });
  await refuseFailed(response);
  const { title, content } = (await response.json()) as Post;
  return { uri, mimeType: "text/markdown", text: `# ${title}\n\n${content.slice(0, maxPost)}\n` };
}

async function readPhoto(callAPI: CallAPI, uri: string, id: string) {
  const headers = { Accept: "image/jpeg" };
  const response = await callAPI({ method: "GET", target: `/api/v1/photos/${id}/image?w=640`, headers });
  await refuseFailed(response);
  const picture = await readPicture(response);
  if (!picture) throw new Refusal(codes.internal, "The picture is too large.");
  return { uri, mimeType: picture.mimeType, blob: picture.data };
}

async function refuseFailed(response: Response): Promise<void> {
  if (response.status < 400) return;
  const code = response.status === 404 ? codes.notFound : codes.invalidRequest;
  throw new Refusal(code, await readError(response));
}
