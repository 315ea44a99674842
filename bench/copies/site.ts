import { counter } from "../generator/job.ts";
import { bytesOf, forEachNumber, photo, post } from "../operations.ts";
import { detailedPicture } from "../own-pictures.ts";
import { ask, type Call, get, getUncached, postFile, postJSON } from "../request.ts";

/** The kinds of requests that copies are measured with. */
export const kinds = {
  memory: "a list, from memory",
  page: "a page, from memory",
  miss: "a list, true miss",
  pageMiss: "a page, true miss",
  picture: "a picture of 640 px",
  post: "create a post",
  comment: "create a comment",
  upload: "upload 100 KB",
  mix: "95 % reads, 5 % new posts",
} as const;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

export type Request = { calls: Call[]; status: number | null; most: number; connections: number };
export type Site = { token: string; postID: number; requests: Record<Kind, Request> };

/** As many that PostgreSQL would read and plan other than a few. */
const photoCount = 3000;
const pictureCount = 8;
const uploadBytes = 100_000;
/** Of one turn: what they write must fit on the disk. */
const mostUploads = 200;

/** Fills an empty site, and returns the requests for each kind. */
export async function fillSite(url: string): Promise<Site> {
  const user = { username: "bench", password: "correct horse battery" };
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  const make = async (path: string, json: unknown) =>
    (await ask<{ id: number }>(`${url}/api/v1/${path}`, { method: "POST", token, json })).id;
  const upload = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.set("path", "/photos");
    form.set("file", new File([bytes], name));
    return ask<{ id: number }>(`${url}/api/v1/files`, { method: "POST", token, form });
  };
  const pictures: number[] = [];
  for (let number = 0; number < pictureCount; number++) {
    const bytes = new Uint8Array(await detailedPicture(1600 + number * 8, 1200));
    const { id: fileID } = await upload(`picture-${number}.jpg`, bytes);
    pictures.push(await make("photos", { ...photo(number), fileID }));
  }
  const { id: fileID } = await upload("photo.bin", bytesOf(1000, 1));
  await forEachNumber(photoCount, async (number) => void (await make("photos", { ...photo(number), fileID })));
  const postID = await make("blog", post("0"));
  const requests = requestsOf(token, pictures, postID);
  // Each picture is rendered once; from then on it is read from the store.
  for (const { path } of requests.picture.calls) await fetch(`${url}${path}`).then((response) => response.bytes());
  return { token, postID, requests };
}

function requestsOf(token: string, pictures: number[], postID: number): Site["requests"] {
  const list = "/api/v1/photos?page=1";
  const rest = bytesOf(uploadBytes - counter.length, 0);
  const read = (...calls: Call[]): Request => ({ calls, status: 200, most: Infinity, connections: 32 });
  const write = (call: Call, most = Infinity): Request => ({ calls: [call], status: 201, most, connections: 16 });
  return {
    memory: read(get(list)),
    page: read(get("/photos")),
    miss: read(getUncached(list)),
    pageMiss: read(getUncached("/photos")),
    picture: read(...pictures.map((id) => get(`/api/v1/photos/${id}/image?width=640&format=webp`))),
    post: write(postJSON("/api/v1/blog", token, post(counter))),
    comment: write(postJSON("/api/v1/comments", token, { blogPostID: postID, content: `A remark, ${counter}.` })),
    mix: { ...read(...Array<Call>(19).fill(get(list)), postJSON("/api/v1/blog", token, post(counter))), status: null },
    upload: write(postFile("/api/v1/files", token, `${counter}.bin`, counter, rest), mostUploads),
  };
}
