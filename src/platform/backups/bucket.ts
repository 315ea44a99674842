import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { connectS3, describeLook } from "../blobs/s3-calls.ts";
import { ageOf, listObjects } from "../blobs/s3-list.ts";
import type { S3Options } from "../blobs/s3-options.ts";
import { upload } from "../blobs/s3-upload.ts";
import { hashOfText } from "../hash.ts";
import { makeFile, type Made } from "./made.ts";
import { BackupError, type Place, UnreadableError } from "./place.ts";
import { explainFailures, unreadable } from "./reading.ts";
import type { WorkDirectory } from "./work-directory.ts";

const renewEvery = 60_000;
/** An older lock was left by a program that was killed. */
const staleLock = 10 * 60_000;
const settleMs = 2000;

/** Objects of an S3 bucket whose keys begin with `prefix`. */
export async function openBucket(
  options: S3Options,
  prefix: string,
  openWork: () => Promise<WorkDirectory>,
): Promise<Place> {
  const s3 = connectS3(options);
  const name = `s3://${options.bucket}/${prefix}`.replace(/\/$/, "");
  const found = await s3.look();
  if (found?.status !== 200) {
    const reason = describeLook(found);
    throw new UnreadableError(`The bucket of the backups ${name} ${reason}.`);
  }
  const work = await openWork();
  const keyOf = (file: string) => prefix + file;
  const lockKey = keyOf("lock");

  return {
    name,
    workDirectory: work.path,

    open,

    async *list(below) {
      for await (const objects of listObjects(s3, keyOf(below)))
        for (const { key, size } of objects) yield { name: key.slice(prefix.length), size };
    },

    make: (bytes) => makeFile(work.path, bytes),

    add,

    link: () => false,
    async flush() {},
    async removeEmptyFolders() {},

    remove,

    async rename(file, other) {
      const bytes = await open(file);
      if (bytes) await add(other, await makeFile(work.path, bytes));
      await remove(file);
    },

    /** Written, and read again after a moment: of two programs that write at the same time, one reads that of the other. */
    async lock() {
      const mine = `${hostname()} ${process.pid} ${crypto.randomUUID()}`;
      const write = () => s3.call({ method: "PUT", key: lockKey, body: { bytes: mine, sha256: hashOfText(mine) } });
      const owner = await readLock();
      if (owner === null) {
        await write();
        await Bun.sleep(settleMs);
      }
      if ((owner ?? (await readLock())) !== mine) {
        const [host, pid] = (owner ?? "").split(" ");
        const other = host ? `Process ${pid} on ${host}` : "Another program";
        throw new BackupError(`${other} is writing to the backups in ${name}: try again later.`);
      }
      const renewing = setInterval(() => void write().catch(() => {}), renewEvery);
      return {
        async [Symbol.asyncDispose]() {
          clearInterval(renewing);
          await s3.call({ method: "DELETE", key: lockKey });
        },
      };
    },

    close: work.close,
  };

  async function open(file: string): Promise<ReadableStream<Uint8Array> | null> {
    const response = await s3.call({ method: "GET", key: keyOf(file) }).catch((error: unknown) => {
      throw unreadable(name, error);
    });
    if (response.ok) return explainFailures(response.body ?? new Blob([]).stream(), name);
    await response.body?.cancel();
    return null;
  }

  /** A bucket may say that it has stored a file, and have only a part of it. */
  async function add(file: string, made: Made): Promise<void> {
    for (let tries = 1; ; tries++) {
      await upload(s3, keyOf(file), made);
      const { headers } = await s3.call({ method: "HEAD", key: keyOf(file) });
      if (Number(headers.get("content-length")) === made.size) break;
      if (tries === 3)
        throw new BackupError(`${name} does not store whole files: ${file} was cut short ${tries} times.`);
    }
    await rm(made.path, { force: true });
  }

  async function remove(file: string): Promise<void> {
    await s3.call({ method: "DELETE", key: keyOf(file) });
  }

  async function readLock(): Promise<string | null> {
    const response = await s3.call({ method: "GET", key: lockKey });
    const text = await response.text();
    return response.status === 404 || ageOf(response.headers) > staleLock ? null : text;
  }
}
