import { type Patience, patienceOfUpload } from "./s3-busy.ts";
import { refused, type S3 } from "./s3-calls.ts";
import { textOf } from "./s3-xml.ts";
import type { Spooled } from "./spool.ts";

const smallestPart = 8 * 2 ** 20;
/** S3 allows at most this many parts per object. */
const maxParts = 10_000;

type Options = {
  /** Called from time to time. */
  moved?: (() => void) | undefined;
  headers?: Record<string, string>;
  patience?: Patience;
};

/**
 * Uploads a spooled file. The server checks the bytes of each request against the SHA-256 in its signature. Parts are
 * sent one after the other from the file, so that at most one is in memory, and each is retried separately.
 */
export async function upload(
  s3: S3,
  key: string,
  file: Omit<Spooled, "head">,
  { moved, headers = { "Content-Type": "application/octet-stream" }, patience = patienceOfUpload() }: Options = {},
): Promise<void> {
  const bytes = Bun.file(file.path);
  if (file.size > smallestPart) return uploadInParts(s3, key, bytes, { headers, moved, patience });
  await found(s3.call({ method: "PUT", key, headers, body: { bytes, sha256: file.sha256 }, moved, patience }));
}

async function uploadInParts(s3: S3, key: string, file: Blob, options: Required<Options>): Promise<void> {
  const { moved, headers, patience } = options;
  const { size } = file;
  const created = await found(s3.call({ method: "POST", key, query: { uploads: "" }, headers, patience }));
  const uploadId = textOf(created, "UploadId");
  try {
    const parts: string[] = [];
    const partBytes = Math.max(smallestPart, Math.ceil(size / maxParts));
    for (let start = 0; start < size; start += partBytes) {
      const bytes = file.slice(start, Math.min(start + partBytes, size));
      const partNumber = parts.length + 1;
      const body = { bytes, sha256: await hash(bytes) };
      const query = { partNumber: String(partNumber), uploadId };
      const sent = await s3.call({ method: "PUT", key, query, body, moved, patience });
      const etag = (sent.headers.get("etag") ?? "").replaceAll('"', "&quot;");
      await found(sent);
      parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`);
      moved?.();
    }
    const bytes = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const body = { bytes, sha256: await hash(new Blob([bytes])) };
    const completed = await s3.call({ method: "POST", key, query: { uploadId }, body, moved, patience });
    // A retry gets "not found" if the first attempt succeeded but its response was lost. The caller checks the object
    // anyway.
    if (completed.status !== 404) failOnError(await completed.text());
  } catch (error) {
    // Not awaited, because the server may be unavailable. A sweep aborts what is left behind.
    s3.call({ method: "DELETE", key, query: { uploadId } }).catch(() => {});
    throw error;
  }
}

/** S3 may start its response with status 200 and still fail. */
function failOnError(xml: string): void {
  if (xml.includes("<Error>")) throw refused(`upload not completed: ${textOf(xml, "Code")} ${textOf(xml, "Message")}`);
}

/** The text of the response. For a write, "not found" means that the bucket or the upload does not exist. */
async function found(answer: Response | Promise<Response>): Promise<string> {
  const response = await answer;
  const text = await response.text();
  if (response.status === 404) throw refused(`${textOf(text, "Code")} ${textOf(text, "Message")}`);
  return text;
}

async function hash(bytes: Blob): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of bytes.stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
