import { Problem } from "../errors.ts";
import { hashOfText } from "../hash.ts";
import type { S3 } from "./s3-calls.ts";
import type { S3Options } from "./s3-options.ts";

/** An object that is written and removed, to see whether the options of new objects are obeyed. */
const sampleKey = "options-check";
const encryption = "x-amz-server-side-encryption";

/** A wrong bucket, key or option stops the start. A blob store that is unavailable does not, because it may come back. */
export async function checkBucket(s3: S3, options: S3Options): Promise<void> {
  const found = await s3.look();
  if (found === null || found.status >= 500) return;
  if (found.status < 300) return checkObjectHeaders(s3, options.objectHeaders ?? {});
  const { status, reason } = found;
  const name = `the bucket "${options.bucket}"`;
  if (status === 404) throw unusable(`there is no bucket "${options.bucket}" at this endpoint`);
  const advice = "check the endpoint, the region and the AWS keys";
  throw unusable(reason ?? `the server refuses access to ${name} (status ${status}): ${advice}`);
}

/** Some servers refuse these headers, and some ignore them: nobody should believe in an encryption that there is not. */
async function checkObjectHeaders(s3: S3, headers: Record<string, string>): Promise<void> {
  if (Object.keys(headers).length === 0) return;
  const bytes = "x";
  try {
    await s3.call({ method: "PUT", key: sampleKey, body: { bytes, sha256: hashOfText(bytes) } });
    const stored = await s3.call({ method: "HEAD", key: sampleKey });
    await s3.call({ method: "DELETE", key: sampleKey });
    const wanted = headers[encryption];
    if (wanted === undefined || stored.headers.get(encryption) === wanted) return;
  } catch (error) {
    const { code, cause } = error as Problem;
    // Too busy, or gone: as without options.
    if (code === "busy" || !/ (4\d\d|501)( |$)/.test((cause as Error | undefined)?.message ?? "")) return;
    throw unusable(
      `the server refuses an object with the options of this URL (${(cause as Error).message.replace(/\.$/, "")})`,
    );
  }
  throw unusable(`the server does not encrypt objects although sse=${headers[encryption]} asks for it`);
}

const unusable = (reason: string) => new Problem("unavailable", `STORAGE_URL: ${reason}.`);
