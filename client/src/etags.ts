const etags = new WeakMap<object, string>();

/** The ETag of a record as the client has read or saved it; null if it came without one, for example in a list. */
export function etagOf(record: object): string | null {
  return etags.get(record) ?? null;
}

export function rememberETag(value: unknown, { headers }: Response): void {
  const etag = headers.get("etag");
  if (etag && typeof value === "object" && value !== null) etags.set(value, etag);
}

export function toIfMatch(given: object | string): string {
  const etag = typeof given === "string" ? given : etagOf(given);
  if (etag === null)
    throw new TypeError("ifMatch must be an ETag, or a record that this client has read or saved by itself.");
  return etag;
}
