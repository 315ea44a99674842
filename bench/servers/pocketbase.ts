import { join } from "node:path";
import { findFreePort } from "./free-port.ts";
import {
  bytesOf,
  type MeasuredServer,
  downloadBytes,
  forEachNumber,
  photo,
  photoBytes,
  photoCount,
  post,
  uploads,
} from "../operations.ts";
import { counter } from "../generator/job.ts";
import { runCommand, startServer } from "../processes.ts";
import { ask, type Call, get, postFile, postJSON } from "../request.ts";

type Made = { id: string; collectionId: string; file: string };

const superuser = { identity: "root@example.com", password: "correct horse battery" };
const user = { identity: "bench@example.com", password: "correct horse battery" };

/** PocketBase with its default settings and the same records. */
export async function preparePocketBase(directory: string, command: string[]): Promise<MeasuredServer> {
  const data = ["--dir", join(directory, "data"), "--automigrate=false"];
  await runCommand([...command, "superuser", "upsert", superuser.identity, superuser.password, ...data]);
  const address = `127.0.0.1:${await findFreePort()}`;
  const { printed: port, pid } = await startServer([...command, "serve", `--http=${address}`, ...data], {
    on: "stdout",
    pattern: /Server started at http:\/\/\S+:(\d+)/,
  });
  const url = `http://${address}`;
  await refuseRateLimits(url);
  const token = await prepareCollections(url);

  const ids: string[] = [];
  await forEachNumber(photoCount, async (number) => {
    const fields = photo(number);
    ids.push((await upload(url, "photos", token, `photo-${number}.jpg`, bytesOf(photoBytes, number), fields)).id);
  });
  const large = await upload(url, "files", token, "large.bin", bytesOf(downloadBytes, 0));
  const { id: postID } = await ask<Made>(url + records("posts"), { method: "POST", token, json: post("0") });
  return { name: "PocketBase", pid, targets: targetsOf(Number(port), token, { ids, postID, large }) };
}

/** The rate limiter is off by default. If it were on, the bench would measure the limit. */
async function refuseRateLimits(url: string): Promise<void> {
  const token = await signIn(url, "_superusers", superuser);
  const settings = await ask<{ rateLimits: { enabled: boolean } }>(`${url}/api/settings`, { token });
  if (settings.rateLimits.enabled) throw new Error("PocketBase limits the rate of requests");
}

/** Everyone can read, signed-in users can write. Returns the token of an ordinary user. */
async function prepareCollections(url: string): Promise<string> {
  const token = await signIn(url, "_superusers", superuser);
  const file = { name: "file", type: "file", maxSelect: 1 };
  const [title, description, content] = ["title", "description", "content"].map((name) => ({ name, type: "text" }));
  const [width, height] = ["width", "height"].map((name) => ({ name, type: "number", onlyInt: true }));
  const created = { name: "created", type: "autodate", onCreate: true };
  const updated = { name: "updated", type: "autodate", onCreate: true, onUpdate: true };
  const collections = {
    photos: [title, description, file, width, height, created, updated],
    posts: [title, content, created, updated],
    files: [file, created, updated],
  };
  for (const [name, fields] of Object.entries(collections)) {
    const rules = { listRule: "", viewRule: "", createRule: "@request.auth.id != ''" };
    await ask(`${url}/api/collections`, { method: "POST", token, json: { name, type: "base", fields, ...rules } });
  }
  const { identity, password } = user;
  const account = { email: identity, password, passwordConfirm: password };
  await ask(url + records("users"), { method: "POST", token, json: account });
  return signIn(url, "users", user);
}

async function signIn(url: string, collection: string, json: typeof user): Promise<string> {
  const path = `${url}/api/collections/${collection}/auth-with-password`;
  return (await ask<{ token: string }>(path, { method: "POST", json })).token;
}

function upload(
  url: string,
  collection: string,
  token: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  fields: Record<string, string | number> = {},
): Promise<Made> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, String(value));
  form.set("file", new File([bytes], name));
  return ask<Made>(url + records(collection), { method: "POST", token, form });
}

type Filled = { ids: string[]; postID: string; large: Made };

function targetsOf(port: number, token: string, { ids, postID, large }: Filled): MeasuredServer["targets"] {
  const target = (...calls: Call[]) => ({ port, calls, status: 200 });
  // By row id, newest first: its cheapest order.
  const list = `${records("photos")}?page=1&perPage=10&sort=-@rowid`;
  const photos = ids.map((id) => get(`${records("photos")}/${id}`));
  const create = postJSON(records("posts"), token, post(counter));
  const { bytes: size, most } = uploads.small;
  const upload = postFile(records("files"), token, `${counter}.bin`, counter, bytesOf(size - counter.length, 0));
  const onePost = `${records("posts")}/${postID}`;
  return {
    list: target(get(list)),
    post: target(get(onePost)),
    get: target(...photos),
    newList: target(get(`${list}&n=${counter}`)),
    newPost: target(get(`${onePost}?n=${counter}`)),
    getBesideComments: { ...target(...photos), beside: create },
    getBesidePhotos: { ...target(...photos), beside: create },
    missedList: target(get(list)),
    missedPhoto: target(...photos),
    missedPost: target(get(onePost)),
    ownList: target({ ...get(list), headers: { Authorization: `Bearer ${token}` } }),
    download: {
      ...target(get(`/api/files/${large.collectionId}/${large.id}/${large.file}`)),
      bodyBytes: downloadBytes,
    },
    create16: { ...target(create), connections: 16 },
    create64: { ...target(create), connections: 64 },
    small: { ...target(upload), connections: 16, most },
  };
}

function records(collection: string): string {
  return `/api/collections/${collection}/records`;
}
