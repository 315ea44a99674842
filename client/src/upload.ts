import type { File, ResumableUpload } from "../../build/client/api.ts";
import { readJSON } from "./call.ts";
import { VitrineError } from "./errors.ts";
import { delayAfter, isTemporary, wait } from "./retry.ts";
import { type Connection, send, sendOnce, type Sent } from "./send.ts";
import type { UploadOptions, UploadStore } from "./types.ts";

/** The tus protocol, version 1.0.0: https://tus.io/protocols/resumable-upload */
const version = { "Tus-Resumable": "1.0.0" };
const uploads = "/api/v1/uploads";

/** Up to this size, a file is sent by a form, which is one request. */
const largestForm = 2 ** 23;
const [smallestPart, firstPart, largestPart] = [2 ** 18, 2 ** 20, 2 ** 28];
/** An upload has at most 10,000 parts; those that were cut off count, too. */
const maxParts = 9000;
const partTimeout = 120_000;

/** How far the server is. */
type Progress = { id: number; offset: number; isFinished: boolean };

export function createUpload(connection: Connection, store: UploadStore) {
  const active = new Set<string>();
  /**
   * The size of the next part. A single part is best, because the server does not have to join it. If a connection was cut, or
   * does not report progress, parts follow the speed of the network.
   */
  let partSize = connection.fetchWithProgress ? Infinity : firstPart;

  return async (content: Blob, options: UploadOptions = {}): Promise<File> => {
    const { name = (content as Partial<{ name: string }>).name, signal } = options;
    if (!name) throw new TypeError("A Blob has no name: pass one in the options.");
    const key = options.key ?? describe(connection, content, { ...options, name });
    // Two uploads of the same file at once are two files.
    const isFirst = !active.has(key);
    if (isFirst) active.add(key);
    try {
      const known = isFirst ? await resume(content, key, signal) : null;
      const file = known ? null : await sendForm(content, { ...options, name });
      if (file) return file;
      const progress = known ?? (await begin(content, { ...options, name }));
      if (isFirst && !progress.isFinished) await store.set(key, String(progress.id));
      await sendParts(content, progress, options);
      if (isFirst) await store.delete(key);
      return await readFile(progress.id, signal);
    } finally {
      if (isFirst) active.delete(key);
    }
  };

  /** Null if there is no unfinished upload of this file, or not any more. */
  async function resume(content: Blob, key: string, signal: AbortSignal | undefined): Promise<Progress | null> {
    const id = Number(await store.get(key));
    if (!id) return null;
    try {
      const { length, ...progress } = await send(connection, question(id, signal), readProgress(id));
      if (length === content.size) return progress;
    } catch (error) {
      if (!(error instanceof VitrineError && [403, 404].includes(error.status))) throw error;
    }
    await store.delete(key);
    return null;
  }

  /** Null if the file has to be sent by tus: it is large, or a second form would store it twice, or the form was cut. */
  async function sendForm(content: Blob, { name = "", signal, ...options }: UploadOptions): Promise<File | null> {
    const { path, onConflict, visibility, onProgress } = options;
    const isRepeatable = onConflict === "reuse" || onConflict === "replace";
    if (!isRepeatable || content.size > Math.min(largestForm, partSize)) return null;
    const form = new FormData();
    for (const [key, value] of Object.entries({ path, name, onConflict, visibility })) {
      if (value !== undefined) form.set(key, value);
    }
    form.set("file", content, name);
    const report = (bytes: number) =>
      onProgress?.({ sent: Math.min(bytes, content.size), total: content.size, uploadID: null });
    const follow = followBytes(report);
    const request = {
      ...repeatable("POST", "/api/v1/files", signal),
      body: form,
      // Only a 429 is followed by the same form. After a cut connection, tus is better, which goes on where it was cut.
      isRepeatable: false,
      ...(options.retry && { retry: options.retry }),
      ...follow.limit,
    };
    try {
      report(0);
      const file = (await send(follow.connection, request, readJSON)) as File;
      report(content.size);
      return file;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof VitrineError) || !(isTemporary(error) || isOfProxy(error))) throw error;
      await checkReadable(content, error);
      shrinkParts(error, content.size, follow.speed());
      return null;
    }
  }

  /** If its response is lost, an empty upload stays on the server until it expires. */
  async function begin(content: Blob, { name = "", signal, ...options }: UploadOptions): Promise<Progress> {
    const { path, onConflict, visibility } = options;
    const metadata = Object.entries({ filename: name, path, onConflict, visibility }).flatMap(([key, value]) =>
      value === undefined ? [] : `${key} ${toBase64(value)}`,
    );
    const headers = { ...version, "Upload-Length": String(content.size), "Upload-Metadata": metadata.join(",") };
    const request = { ...repeatable("POST", uploads, signal), headers };
    const { id, offset, file } = (await send(connection, request, readJSON)) as ResumableUpload;
    return { id, offset, isFinished: file !== null };
  }

  async function sendParts(content: Blob, known: Progress, options: UploadOptions): Promise<void> {
    const { signal, onProgress } = options;
    const retry = { ...connection.retry, ...options.retry };
    let progress = known;
    let isLost = false;
    for (let failures = 0; ;) {
      onProgress?.({ sent: progress.offset, total: content.size, uploadID: progress.id });
      if (progress.isFinished) return;
      const { offset } = progress;
      try {
        progress =
          isLost || offset === content.size ? await ask(progress.id, signal) : await sendPart(content, progress);
        isLost = false;
        if (progress.offset > offset) failures = 0;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof VitrineError)) throw error;
        const delay = delayAfter(error, ++failures, retry);
        const mayHelp = isTemporary(error) || error.status === 409 || isOfProxy(error);
        if (!mayHelp || delay === null || failures >= (retry.attempts ?? 5)) throw error;
        await wait(delay, signal);
        isLost = true;
      }
    }

    async function sendPart(content: Blob, { id, offset }: Progress): Promise<Progress> {
      const size = Math.max(partSize, Math.ceil(content.size / maxParts));
      // Browsers send a whole file faster than a slice of it, which they copy.
      const isWhole = offset === 0 && size >= content.size;
      const body = isWhole ? content : content.slice(offset, Math.min(offset + size, content.size));
      const follow = followBytes((bytes) => onProgress?.({ sent: offset + bytes, total: content.size, uploadID: id }));
      const request = {
        ...repeatable("PATCH", `${uploads}/${id}`, signal),
        body,
        headers: { ...version, "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" },
        ...follow.limit,
      };
      const start = performance.now();
      try {
        const sent = await sendOnce(follow.connection, request, readProgress(id));
        adaptPartSize(performance.now() - start, sent.offset - offset);
        return sent;
      } catch (error) {
        if (error instanceof VitrineError) {
          await checkReadable(content, error);
          shrinkParts(error, body.size, follow.speed());
        }
        throw error;
      }
    }
  }

  /** A connection that reports how much of a body was sent, as far as that is possible. */
  function followBytes(onSent: (bytes: number) => void) {
    const start = performance.now();
    let loaded = 0;
    const fetch = connection.fetchWithProgress?.((bytes) => {
      loaded = bytes;
      onSent(bytes);
    });
    return {
      connection: { ...connection, ...(fetch && { fetch }) },
      /** Without progress, it is not known whether a body is still being sent. */
      limit: { timeout: fetch ? undefined : partTimeout },
      /** Bytes per second, or 0. */
      speed: () => (1000 * loaded) / (performance.now() - start),
    };
  }

  /** By its upload, because such requests have a higher rate limit. */
  async function readFile(id: number, signal: AbortSignal | undefined): Promise<File> {
    const request = repeatable("GET", `${uploads}/${id}`, signal);
    const { file } = (await send(connection, request, readJSON)) as ResumableUpload;
    if (!file) throw new VitrineError("The file was deleted after it was uploaded.", { status: 404, code: "missing" });
    return file;
  }

  function ask(id: number, signal: AbortSignal | undefined): Promise<Progress> {
    return sendOnce(connection, question(id, signal), readProgress(id));
  }

  /** About one second per part. */
  function adaptPartSize(milliseconds: number, bytes: number): void {
    if (milliseconds < 1000 && bytes >= partSize) partSize = Math.min(largestPart, partSize * 2);
    if (milliseconds > 3000) partSize = Math.max(smallestPart, partSize / 2);
  }

  /** After a part that has failed. `perSecond` is 0 if its speed is not known. */
  function shrinkParts(error: VitrineError, failed: number, perSecond: number): void {
    if (isOfProxy(error)) partSize = firstPart;
    else if (error.status !== 429) partSize = Math.max(smallestPart, Math.min(failed / 2, perSecond || Infinity));
  }
}

/** Throws the browser's error if there was no response because the file was changed or removed on the disk. */
async function checkReadable(content: Blob, { status }: VitrineError): Promise<void> {
  if (status === 0) await content.slice(0, 1).arrayBuffer();
}

/** A proxy has refused a part, because it is too long for it. */
const isOfProxy = ({ status, code }: VitrineError): boolean => status === 413 && code === "unknown";

function repeatable(method: string, path: string, signal: AbortSignal | undefined): Sent {
  return { method, path, isRepeatable: true, timeout: 60_000, ...(signal && { signal }) };
}

const question = (id: number, signal: AbortSignal | undefined): Sent => ({
  ...repeatable("HEAD", `${uploads}/${id}`, signal),
  headers: version,
});

function readProgress(id: number) {
  return async ({ headers }: Response): Promise<Progress & { length: number }> => {
    return {
      id,
      offset: Number(headers.get("upload-offset")),
      length: Number(headers.get("upload-length")),
      isFinished: headers.has("upload-file-id"),
    };
  };
}

function describe({ baseURL }: Connection, content: Blob, { name, path = "/" }: UploadOptions): string {
  const { lastModified } = content as Partial<{ lastModified: number }>;
  return `vitrine upload ${JSON.stringify([baseURL, path, name, content.size, content.type, lastModified ?? 0])}`;
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
