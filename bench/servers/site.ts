import {
  bytesOf,
  downloadBytes,
  forEachNumber,
  type MeasuredServer,
  photo,
  photoBytes,
  photoCount,
  post,
  type Target,
  uploads,
} from "../operations.ts";
import { counter } from "../generator/job.ts";
import { ask, type Call, get, getUncached, postFile, postJSON, put } from "../request.ts";
import type { Running } from "./vitrine.ts";

/** So many that connections rarely change the same one. */
const postCount = 100;

type Filled = {
  token: string;
  ids: number[];
  fileID: number;
  postIDs: number[];
  albumIDs: number[];
  largeFile: string;
};

/**
 * Fills the site of a running server, and returns what is measured on it. It uses only the API that every version has. Photos can
 * be added to albums in `turns` turns.
 */
export async function prepareSite(name: string, { port, pid, url }: Running, turns: number): Promise<MeasuredServer> {
  return { name, pid, targets: targetsOf(port, await fill(url, turns)) };
}

async function fill(url: string, albumCount: number): Promise<Filled> {
  const user = { username: "bench", password: "correct horse battery" };
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  const make = async (path: string, json: unknown) =>
    (await ask<{ id: number }>(`${url}/api/v1/${path}`, { method: "POST", token, json })).id;

  const [ids, postIDs, albumIDs]: [number[], number[], number[]] = [[], [], []];
  await forEachNumber(photoCount, async (number) => {
    const { id: fileID } = await upload(url, token, `photo-${number}.jpg`, bytesOf(photoBytes, number));
    ids.push(await make("photos", { ...photo(number), fileID }));
  });
  await forEachNumber(postCount, async (number) => void postIDs.push(await make("blog", post(String(number)))));
  await forEachNumber(albumCount, async (number) => void albumIDs.push(await make("albums", { name: `${number}` })));
  const large = await upload(url, token, "large.bin", bytesOf(downloadBytes, 0));
  return { token, ids, fileID: large.id, postIDs, albumIDs, largeFile: large.url };
}

function upload(url: string, token: string, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set("path", "/photos");
  form.set("file", new File([bytes], name));
  return ask<{ id: number; url: string }>(`${url}/api/v1/files`, { method: "POST", token, form });
}

function targetsOf(port: number, filled: Filled): MeasuredServer["targets"] {
  return { ...readsOf(port, filled), ...writesOf(port, filled) };
}

function readsOf(port: number, { token, ids, fileID, postIDs, largeFile }: Filled): MeasuredServer["targets"] {
  const read = (...calls: Call[]): Target => ({ port, calls, status: 200 });
  const list = "/api/v1/photos?page=1";
  const onePost = `/api/v1/blog/${postIDs[0]}`;
  const photos = ids.map((id) => get(`/api/v1/photos/${id}`));
  const comment = { blogPostID: postIDs[0], content: `A remark, ${counter}.` };
  return {
    list: read(get(list)),
    post: read(get(onePost)),
    get: read(...photos),
    newList: read(get(`${list}&n=${counter}`)),
    newPost: read(get(`${onePost}?n=${counter}`)),
    getBesideComments: { ...read(...photos), beside: postJSON("/api/v1/comments", token, comment) },
    getBesidePhotos: {
      ...read(...photos),
      beside: put(`/api/v1/photos/${ids[0]}`, token, { title: `Photo ${counter}` }),
    },
    getBesideNewPhotos: {
      ...read(...photos),
      beside: postJSON("/api/v1/photos", token, { ...photo(0), title: `Photo ${counter}`, fileID }),
    },
    getBesideNewPosts: { ...read(...photos), beside: postJSON("/api/v1/blog", token, post(counter)) },
    missedList: read(getUncached(list)),
    missedPhoto: read(...ids.map((id) => getUncached(`/api/v1/photos/${id}`))),
    missedPost: read(getUncached(onePost)),
    ownList: read({ ...get(list), headers: { Authorization: `Bearer ${token}` } }),
    download: { ...read(get(largeFile)), bodyBytes: downloadBytes },
  };
}

function writesOf(port: number, { token, ids, fileID, postIDs, albumIDs }: Filled): MeasuredServer["targets"] {
  const write = (connections: number, status: number, ...calls: Call[]): Target => ({
    port,
    calls,
    status,
    connections,
  });
  const create = postJSON("/api/v1/blog", token, post(counter));
  const updates = postIDs.map((id) => put(`/api/v1/blog/${id}`, token, post(counter)));
  const comment = { blogPostID: postIDs[0], content: `A remark, ${counter}.` };
  const uploadOf = ({ bytes, most }: { bytes: number; most: number }): Target => {
    const rest = bytesOf(bytes - counter.length, 0);
    return { ...write(16, 201, postFile("/api/v1/files", token, `${counter}.bin`, counter, rest)), most };
  };
  return {
    create16: write(16, 201, create),
    create64: write(64, 201, create),
    update16: write(16, 200, ...updates),
    update64: write(64, 200, ...updates),
    comment: write(16, 201, postJSON("/api/v1/comments", token, comment)),
    photo: write(16, 201, postJSON("/api/v1/photos", token, { ...photo(0), title: `Photo ${counter}`, fileID })),
    attach: {
      ...write(16, 200),
      most: ids.length,
      // Each turn has an album of its own: a photo that is in it already would not be added.
      get calls() {
        const path = `/api/v1/albums/${albumIDs.pop()}/photos`;
        return ids.map((photoID) => postJSON(path, token, { photoID }));
      },
    },
    small: uploadOf(uploads.small),
    large: uploadOf(uploads.large),
  };
}
