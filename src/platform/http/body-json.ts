import { invalid } from "../errors.ts";
import { readBytes } from "./body-bytes.ts";
import type { Exchange } from "./exchange.ts";

const maxDepth = 64;
/** More than any request needs. Building an object with very many keys is slow. */
const maxValues = 20_000;

const json = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i;
/** As many programs send JSON: with another content type, or with none. */
const lenient = /^(?!multipart\/)/i;

/** The body as a JSON object. `isLenient`: whatever its content type says. */
export async function readJSON(
  exchange: Exchange,
  limit: number,
  isLenient: boolean,
): Promise<Record<string, unknown>> {
  const type = exchange.request.headers.get("content-type") ?? "";
  if (!(isLenient ? lenient : json).test(type)) {
    throw invalid("The body must be JSON: send it with the header Content-Type: application/json.");
  }
  const text = decode(await readBytes(exchange, limit));
  checkShape(text);
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The body must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("The body is not valid JSON.");
  }
}

/** Checked before parsing, so that a client cannot make later steps recurse too deeply or build too large an object. */
function checkShape(text: string): void {
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index++;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) throw invalid(`The body is nested more than ${maxDepth} levels deep.`);
    } else if (code === 93 || code === 125) depth--;
    else if (code === 44 && ++values > maxValues) throw invalid(`The body has more than ${maxValues} values.`);
  }
}
