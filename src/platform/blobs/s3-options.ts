export type S3Options = {
  bucket: string;
  /** null means Amazon's own endpoint for the region. */
  endpoint: string | null;
  region: string;
  accessKeyID: string;
  secretAccessKey: string;
  sessionToken?: string | null;
  /** Sent with every new object: how it is encrypted, and its storage class. */
  objectHeaders?: Record<string, string>;
};

const known = new Set(["endpoint", "region", "sse", "kms-key", "storage-class"]);
/** Objects of these classes can only be read hours after somebody has asked for them. */
const slow = new Set(["GLACIER", "DEEP_ARCHIVE"]);

/**
 * The headers of new objects that the query of an `s3://` URL asks for, or what is wrong with it. A mistyped option is not
 * ignored: somebody would believe that the files are encrypted.
 */
export function readObjectHeaders(query: URLSearchParams): Record<string, string> | { wrong: string } {
  const unknown = [...query.keys()].find((name) => !known.has(name));
  if (unknown !== undefined)
    return { wrong: `has the unknown option "${unknown}": it can have ${[...known].join(", ")}` };
  const [sse, key, storageClass] = ["sse", "kms-key", "storage-class"].map((name) => query.get(name));
  if (sse && sse !== "AES256" && sse !== "aws:kms")
    return { wrong: `must have sse=AES256 or sse=aws:kms, not "${sse}"` };
  if (key && sse !== "aws:kms") return { wrong: "has a kms-key, which also needs sse=aws:kms" };
  if (key && !/^[\x21-\x7e]+$/.test(key)) return { wrong: "has a kms-key with a space or another such character" };
  if (storageClass && !/^[A-Za-z0-9_-]+$/.test(storageClass))
    return { wrong: `must have a storage-class like STANDARD_IA, not "${storageClass}"` };
  if (storageClass && slow.has(storageClass))
    return { wrong: `cannot have the storage-class ${storageClass}, whose files cannot be read at once` };
  return {
    ...(sse && { "x-amz-server-side-encryption": sse }),
    ...(key && { "x-amz-server-side-encryption-aws-kms-key-id": key }),
    ...(storageClass && { "x-amz-storage-class": storageClass }),
  };
}
