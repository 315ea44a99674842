import { SaxesParser } from "saxes";
import { RemoteError } from "../../../src/platform/outgoing/remote.ts";

/** What a WebDAV server says of a file or folder. */
export type DavEntry = {
  href: string;
  isDirectory: boolean;
  size: number;
  modifiedAt: number | null;
  etag: string | null;
  /** Of Nextcloud and ownCloud; others have neither. */
  id: string | null;
  isFavourite: boolean;
};

const properties = "<d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:getetag/><o:fileid/><o:favorite/>";
export const propfindBody = `<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:o="http://owncloud.org/ns"><d:prop>${properties}</d:prop></d:propfind>`;

const mostBytes = 2 ** 28;
const deepest = 40;
const longestText = 10_000;
/** The elements whose text counts. */
const wanted = new Set(["href", "status", "getcontentlength", "getlastmodified", "getetag", "fileid", "favorite"]);

/** The entries of a multistatus response. What the server could not say of an entry is left out. */
export async function readMultistatus(chunks: AsyncIterable<Uint8Array>): Promise<DavEntry[]> {
  const found: DavEntry[] = [];
  const parser = createParser((entry) => found.push(entry));
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new RemoteError(`A folder has a list of more than ${mostBytes} bytes.`, 400);
    write(parser, decoder.decode(chunk, { stream: true }));
  }
  write(parser, decoder.decode());
  close(parser);
  return found;
}

type Parser = SaxesParser<{ xmlns: true; position: false }>;

function createParser(found: (entry: DavEntry) => void): Parser {
  const parser: Parser = new SaxesParser({ xmlns: true, position: false });
  const open: string[] = [];
  let entry = new Map<string, string>();
  let status = new Map<string, string>();
  let text = "";
  parser.on("doctype", () => {
    throw new Error("it has a document type");
  });
  parser.on("opentag", ({ local }) => {
    if (open.push(local) > deepest) throw new Error("it is nested too deeply");
    if (local === "response") entry = new Map();
    if (local === "propstat") status = new Map();
    if (local === "collection") status.set("isDirectory", "1");
    text = "";
  });
  parser.on("text", (more) => {
    if (wanted.has(open.at(-1) ?? "") && text.length + more.length <= longestText) text += more;
  });
  parser.on("closetag", ({ local }) => {
    open.pop();
    if (wanted.has(local)) (open.includes("propstat") ? status : entry).set(local, text.trim());
    // Others are for the properties that it does not have.
    if (local === "propstat" && / 200\b/.test(status.get("status") ?? "")) for (const one of status) entry.set(...one);
    if (local === "response" && entry.has("href")) found(toEntry(entry));
    text = "";
  });
  return parser;
}

function toEntry(said: Map<string, string>): DavEntry {
  const size = Number(said.get("getcontentlength") ?? "0");
  const time = Date.parse(said.get("getlastmodified") ?? "");
  return {
    href: said.get("href") ?? "",
    isDirectory: said.has("isDirectory"),
    size: Number.isSafeInteger(size) && size >= 0 ? size : 0,
    modifiedAt: Number.isFinite(time) ? time : null,
    etag: said.get("getetag") || null,
    id: said.get("fileid") || null,
    isFavourite: said.get("favorite") === "1",
  };
}

/** Control characters are not allowed in XML, and some servers send those of names. */
const write = (parser: Parser, text: string) =>
  explain(() => parser.write(text.replace(/(?![\t\n\r])\p{Cc}/gu, "\ufffd")));
const close = (parser: Parser) => explain(() => parser.close());

function explain(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    throw new RemoteError(`The list of a folder is not valid: ${(error as Error).message}.`, 400);
  }
}
