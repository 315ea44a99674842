import type { ByteRange } from "../byte-range.ts";

/** Whether an If-None-Match header matches this tag, by weak comparison, as RFC 9110 requires for reads. */
export function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  const opaque = etag.replace(/^W\//, "");
  return header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === opaque);
}

/**
 * The part of `size` bytes that a Range header requests, excluding `end`. "all" if it requests no range, several, or a
 * range of another version (If-Range); "none" if the range is not satisfiable.
 */
export function readRange(
  header: string | null,
  ifRange: string | null,
  etag: string,
  size: number,
): ByteRange | "all" | "none" {
  if (header === null || (ifRange !== null && ifRange !== etag)) return "all";
  const found = /^bytes=\s*(\d{0,16})-(\d{0,16})\s*$/i.exec(header);
  if (!found || (found[1] === "" && found[2] === "")) return "all";
  if (found[1] === "") {
    const length = Math.min(Number(found[2]), size);
    return length === 0 ? "none" : { start: size - length, end: size };
  }
  const start = Number(found[1]);
  const last = found[2] === "" ? size - 1 : Number(found[2]);
  if (found[2] !== "" && last < start) return "all";
  return start >= size ? "none" : { start, end: Math.min(last + 1, size) };
}
