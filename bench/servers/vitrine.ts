import {
  bytesOf,
  type MeasuredServer,
  downloadBytes,
  forEachNumber,
  maxUploads,
  photo,
  photoBytes,
  photoCount,
  post,
  uploadBytes,
} from "../operations.ts";
import { makeDatabase } from "../../tests/engine.ts";
import { counter } from "../generator/job.ts";
import type { Engine } from "../options.ts";
import { bun, startServer } from "../processes.ts";
import { ask, type Call, get, getUncached, postFile, postJSON } from "../request.ts";

export type Running = { port: number; pid: number; url: string };

const unlimited = "1000000000";

/**
 * The server with default settings, except for the rate limits and `settings`; its log is discarded.
 */
export async function startVitrine(
  dataDir: string,
  engine: Engine = "embedded",
  settings: Record<string, string> = {},
): Promise<Running> {
  return startCopy(dataDir, { ...(engine === "postgres" && (await largeEngines())), ...settings });
}

/** Copies with the same engines serve the same site. `preload` is loaded into the process before the server. */
export async function startCopy(
  dataDir: string,
  settings: Record<string, string>,
  preload: URL | null = null,
): Promise<Running> {
  const [runtime = "", ...words] = bun(new URL("../../src/main.ts", import.meta.url), "serve");
  const { printed, pid } = await startServer(
    [runtime, ...(preload ? ["--preload", Bun.fileURLToPath(preload)] : []), ...words],
    { on: "stdout", pattern: /Vitrine is running at \S+:(\d+)/ },
    {
      HOST: "127.0.0.1",
      PORT: "0",
      DATA_DIR: dataDir,
      DRAIN_SECONDS: "0",
      RATE_LIMIT_PER_SECOND: unlimited,
      RATE_LIMIT_BURST: unlimited,
      MEDIA_RATE_LIMIT_PER_SECOND: unlimited,
      MEDIA_RATE_LIMIT_BURST: unlimited,
      PAGE_RATE_LIMIT_PER_SECOND: unlimited,
      PAGE_RATE_LIMIT_BURST: unlimited,
      ...settings,
    },
  );
  return { port: Number(printed), pid, url: `http://127.0.0.1:${printed}` };
}

export function hasLargeEngines(): boolean {
  const { TEST_DATABASE_URL, TEST_S3_URL, TEST_REDIS_URL } = process.env;
  return Boolean(TEST_DATABASE_URL && TEST_S3_URL && TEST_REDIS_URL);
}

/** A new database on the servers that the tests use. */
export async function largeEngines(): Promise<Record<string, string>> {
  const { TEST_S3_URL, TEST_REDIS_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  if (!hasLargeEngines() || !TEST_S3_URL || !TEST_REDIS_URL) {
    throw new Error('--engine postgres requires running servers: eval "$(bin/test-servers start)"');
  }
  return {
    DATABASE_URL: await makeDatabase(),
    STORAGE_URL: TEST_S3_URL,
    REDIS_URL: TEST_REDIS_URL,
    AWS_ACCESS_KEY_ID: AWS_ACCESS_KEY_ID ?? "",
    AWS_SECRET_ACCESS_KEY: AWS_SECRET_ACCESS_KEY ?? "",
  };
}

export async function prepareVitrine(dataDir: string, engine: Engine): Promise<MeasuredServer> {
  const { port, pid, url } = await startVitrine(dataDir, engine);
  const user = { username: "bench", password: "correct horse battery" };
  await ask(`${url}/signup`, { method: "POST", json: user });
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });

  const ids: number[] = [];
  await forEachNumber(photoCount, async (number) => {
    const file = await upload(url, token, `photo-${number}.jpg`, bytesOf(photoBytes, number));
    const json = { ...photo(number), fileID: file.id };
    ids.push((await ask<{ id: number }>(`${url}/api/v1/photos`, { method: "POST", token, json })).id);
  });
  const large = await upload(url, token, "large.bin", bytesOf(downloadBytes, 0));
  const { id: postID } = await ask<{ id: number }>(`${url}/api/v1/blog`, { method: "POST", token, json: post("0") });
  return { name: "Vitrine", pid, targets: targetsOf(port, token, { ids, postID, largeFile: large.url }) };
}

function upload(url: string, token: string, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.set("path", "/photos");
  form.set("file", new File([bytes], name));
  return ask<{ id: number; url: string }>(`${url}/api/v1/files`, { method: "POST", token, form });
}

type Filled = { ids: number[]; postID: number; largeFile: string };

function targetsOf(port: number, token: string, { ids, postID, largeFile }: Filled): MeasuredServer["targets"] {
  const read = (...calls: Call[]) => ({ port, calls, status: 200 });
  const write = (call: Call) => ({ port, calls: [call], status: 201 });
  const bytes = bytesOf(uploadBytes - counter.length, 0);
  const list = "/api/v1/photos?page=1";
  const photos = ids.map((id) => get(`/api/v1/photos/${id}`));
  const comment = { blogPostID: postID, content: `A remark, ${counter}.` };
  const title = { title: `Photo ${counter}` };
  return {
    list: read(get(list)),
    get: read(...photos),
    newList: read(get(`${list}&n=${counter}`)),
    newPost: read(get(`/api/v1/blog/${postID}?n=${counter}`)),
    getBesideComments: { ...read(...photos), beside: postJSON("/api/v1/comments", token, comment) },
    getBesidePhotos: {
      ...read(...photos),
      beside: { ...postJSON(`/api/v1/photos/${ids[0]}`, token, title), method: "PUT" },
    },
    missedList: read(getUncached(list)),
    missedPhoto: read(...ids.map((id) => getUncached(`/api/v1/photos/${id}`))),
    missedPost: read(getUncached(`/api/v1/blog/${postID}`)),
    ownList: read({ ...get(list), headers: { Authorization: `Bearer ${token}` } }),
    download: { ...read(get(largeFile)), bodyBytes: downloadBytes },
    create: write(postJSON("/api/v1/blog", token, post(counter))),
    upload: { ...write(postFile("/api/v1/files", token, `${counter}.bin`, counter, bytes)), most: maxUploads },
  };
}
