import { invalid, Problem } from "../../platform/errors.ts";
import { createHasher, type Hasher } from "../../platform/hash.ts";

const version = "1.0.0";
const algorithms = ["sha1", "sha256", "md5"] as const;
export const partType = "application/offset+octet-stream";

export type Checksum = { hash: Hasher; expected: string };

/** The headers that describe this server to tus clients. */
export const tusHeaders = (maxBytes: number): Record<string, string> => ({
  "Tus-Resumable": version,
  "Tus-Version": version,
  "Tus-Extension": "creation,creation-with-upload,termination,checksum,expiration",
  "Tus-Max-Size": String(maxBytes),
  "Tus-Checksum-Algorithm": algorithms.join(","),
});

/** GET is not part of the protocol and needs no version. */
export function checkVersion({ method, headers }: Request): void {
  if (method === "GET" || headers.get("tus-resumable") === version) return;
  throw new Problem("outdated", `This server supports tus ${version}: send the header Tus-Resumable: ${version}.`);
}

export const isPart = (headers: Headers) => headers.get("content-type")?.trim().toLowerCase() === partType;

export function readNumber(headers: Headers, name: "Upload-Length" | "Upload-Offset"): number {
  const text = headers.get(name) ?? "";
  if (!/^\d{1,15}$/.test(text)) throw invalid(`"${name}" must be a whole number of bytes.`, name);
  return Number(text);
}

export function wrongOffset({ offset }: { offset: number }): Problem {
  return new Problem("conflict", `"Upload-Offset" must be ${offset}, the number of bytes received so far.`, {
    field: "Upload-Offset",
  });
}

export function readChecksum(headers: Headers): Checksum | null {
  const text = headers.get("upload-checksum");
  if (text === null) return null;
  const [name = "", value = "", ...more] = text.split(" ");
  const algorithm = algorithms.find((one) => one === name);
  if (!algorithm) {
    throw invalid(`"Upload-Checksum" must begin with one of ${algorithms.join(", ")}.`, "Upload-Checksum");
  }
  if (value === "" || more.length > 0 || !decodeBase64(value)) {
    throw invalid(`"Upload-Checksum" must be an algorithm, a space and a Base64 checksum.`, "Upload-Checksum");
  }
  return { hash: createHasher(algorithm), expected: value };
}

/** Keys with optional Base64 values: `filename aGFyYm91ci5qcGc=,private`. */
export function parseMetadata(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of text.split(",").filter((one) => one.trim() !== "")) {
    const [key = "", value = "", ...more] = pair.trim().split(" ");
    const bytes = decodeBase64(value);
    if (more.length > 0 || !bytes || !/^[\x21-\x7e]+$/.test(key) || pairs.has(key)) {
      throw invalid(`"Upload-Metadata" must be a list of unique keys with Base64 values.`, "Upload-Metadata");
    }
    pairs.set(key, decodeText(bytes));
  }
  return pairs;
}

function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(`A value in "Upload-Metadata" is not valid UTF-8.`, "Upload-Metadata");
  }
}
