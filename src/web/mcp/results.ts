import { returnsBytes, type Tool } from "./tool.ts";

type Content = { type: "text"; text: string } | ({ type: "image" } & Picture);
/** What `tools/call` returns. */
export type CallResult = { content: Content[]; structuredContent?: Record<string, unknown>; isError?: true };

/** Characters of one text of a record, and of one in a list. */
const maxText = 100_000;
const maxTextInList = 1000;
/** Characters of a whole result. */
const maxResult = 500_000;
/** Bytes of a picture. */
const largestPicture = 2 ** 20;
/** Bytes of a text file. */
export const readBytes = 100_000;

export const failure = (sentence: string): CallResult => ({
  isError: true,
  content: [{ type: "text", text: sentence }],
});

/** What the model gets of a response of the API. */
export async function toResult(tool: Tool, response: Response): Promise<CallResult> {
  if (response.status >= 400) return failure(await readError(response));
  return returnsBytes(tool) ? toContent(response) : toRecords(tool, response);
}

/** The sentence of an error of the API. */
export async function readError(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { error: unknown }).error);
  } catch {
    return `The request failed with the status ${response.status}.`;
  }
}

async function toRecords({ offer, isList }: Tool, response: Response): Promise<CallResult> {
  const cut = { count: 0 };
  const shown = shorten(await response.json(), isList ? maxTextInList : maxText, offer.hides ?? [], cut);
  const result: Record<string, unknown> = Array.isArray(shown)
    ? { items: shown, ...(isList && { next: findNext(response) }) }
    : { ...(shown as object) };
  const etag = offer.isTagged && response.headers.get("etag");
  if (etag) result.etag = etag;
  if (cut.count > 0)
    result.note = isList
      ? "Long texts end with … here: read the record itself for the whole text."
      : "A text was too long and ends with … here. Do not write it back.";
  const text = JSON.stringify(result);
  if (text.length > maxResult)
    return failure("The result is too long. Ask for fewer records, with pageSize or a filter.");
  return { content: [{ type: "text", text }], structuredContent: result };
}

/** The value without fields of these names, and with texts of at most this length. */
function shorten(value: unknown, longest: number, hidden: readonly string[], cut: { count: number }): unknown {
  if (typeof value === "string") {
    if (value.length <= longest) return value;
    cut.count++;
    return `${value.slice(0, longest)}…`;
  }
  if (Array.isArray(value)) return value.map((one) => shorten(one, longest, hidden, cut));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(kept.map(([name, one]) => [name, shorten(one, longest, hidden, cut)]));
}

/** The cursor of the next page; null on the last one. */
export function findNext(response: Response): string | null {
  const links = (response.headers.get("link") ?? "").split(", ");
  const target = links.find((link) => link.endsWith('>; rel="next"'))?.split(">")[0] ?? "";
  return new URLSearchParams(target.slice(target.indexOf("?") + 1)).get("cursor");
}

async function toContent(response: Response): Promise<CallResult> {
  const type = response.headers.get("content-type") ?? "";
  const url = response.headers.get("location");
  if (url) return { content: [{ type: "text", text: `The file can be downloaded for a minute from ${url}` }] };
  const isPart = response.status === 206 && !isWhole(response);
  if (/^image\/(jpeg|png|webp|gif)$/.test(type)) {
    const picture = isPart ? null : await readPicture(response);
    return picture ? { content: [{ type: "image", ...picture }] } : failure("The picture is too large for this tool.");
  }
  if (!isText(type)) {
    await response.body?.cancel();
    return failure(`This is not a text, but ${type}: it cannot be read here.`);
  }
  const text = await response.text();
  return { content: [{ type: "text", text: isPart ? `${text}…\n(The file is longer.)` : text }] };
}

type Picture = { data: string; mimeType: string };

/** The bytes of a picture in base64; null if there are too many. */
export async function readPicture(response: Response): Promise<Picture | null> {
  const mimeType = response.headers.get("content-type") ?? "";
  const size = Number(response.headers.get("content-length") ?? Infinity);
  if (size <= largestPicture) return { data: Buffer.from(await response.arrayBuffer()).toString("base64"), mimeType };
  await response.body?.cancel();
  return null;
}

const isText = (type: string) =>
  /^(text\/|application\/(json|xml|yaml|toml|x-sh|javascript|[\w.-]+\+(json|xml))\b)/.test(type);

/** The header is such as `bytes 0-99/1200`. */
function isWhole({ headers }: Response): boolean {
  const [range = "", size] = (headers.get("content-range") ?? "").split("/");
  return Number(range.split("-")[1]) + 1 === Number(size);
}
