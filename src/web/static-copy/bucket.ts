import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectS3, describeLook } from "../../platform/blobs/s3-calls.ts";
import type { S3Options } from "../../platform/blobs/s3-options.ts";
import { upload } from "../../platform/blobs/s3-upload.ts";
import { CopyError, type Output } from "./output.ts";
import { cachingOf, typeOf } from "./types.ts";

/** Objects of an S3 bucket whose keys begin with `prefix`. Others are not touched. */
export async function openBucket(options: S3Options, prefix: string): Promise<Output> {
  const s3 = connectS3(options);
  const name = `s3://${options.bucket}/${prefix}`.replace(/\/$/, "");
  const found = await s3.look();
  if (found?.status !== 200) {
    const reason = describeLook(found);
    throw new CopyError(`The bucket of ${name} ${reason}.`);
  }
  const workDirectory = await mkdtemp(join(tmpdir(), "vitrine-copy-"));
  const keyOf = (file: string) => (prefix + file).split("/").map(encodeURIComponent).join("/");

  return {
    name,
    workDirectory,

    async open(file) {
      const response = await s3.call({ method: "GET", key: keyOf(file) });
      if (response.ok && response.body) return response.body;
      await response.body?.cancel();
      return null;
    },

    async put(file, made) {
      const headers = { "Content-Type": typeOf(file), "Cache-Control": cachingOf(file) };
      await upload(s3, keyOf(file), made, { headers });
      await rm(made.path, { force: true });
    },

    has: () => true,

    async remove(file) {
      await s3.call({ method: "DELETE", key: keyOf(file) });
    },

    close: () => rm(workDirectory, { recursive: true, force: true }),
  };
}
