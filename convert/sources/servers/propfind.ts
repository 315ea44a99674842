import { RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { type Element, localOf, readElements } from "../xml.ts";

const wanted = "<d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:getetag/><o:fileid/><o:favorite/>";
export const propfindBody = `<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:" xmlns:o="http://owncloud.org/ns"><d:prop>${wanted}</d:prop></d:propfind>`;

const mostBytes = 2 ** 28;

/** What a WebDAV server says of a file or folder. */
export type DavEntry = ReturnType<typeof toEntry>;

/** The entries of a multistatus response. What the server could not say of an entry is left out. */
export async function readMultistatus(chunks: AsyncIterable<Uint8Array>): Promise<DavEntry[]> {
  let [bytes, failure]: [number, unknown] = [0, null];
  try {
    const elements = readElements(upToMost(), 2);
    const entries = await Array.fromAsync(elements, (one) => (localOf(one) === "response" ? [toEntry(one)] : []));
    return entries.flat().filter(({ href }) => href !== "");
  } catch (error) {
    throw failure ?? new RemoteError(`The list of a folder is not valid. ${(error as Error).message}`, 400);
  }

  /** What fails here may be asked for again. */
  async function* upToMost(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > mostBytes) throw new RemoteError(`A folder has a list of more than ${mostBytes} bytes.`, 400);
        yield chunk;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
}

const childrenOf = (element: Element, name: string) => element.children.filter((one) => localOf(one) === name);
const textIn = (elements: Element[], name: string) => elements.find((one) => localOf(one) === name)?.text.trim() ?? "";

function toEntry(response: Element) {
  // Others are for the properties that it does not have.
  const isFound = (one: Element) => / 200\b/.test(textIn(one.children, "status"));
  const found = childrenOf(response, "propstat").filter(isFound);
  const properties = found.flatMap((one) => childrenOf(one, "prop")).flatMap(({ children }) => children);
  const size = Number(textIn(properties, "getcontentlength"));
  const time = Date.parse(textIn(properties, "getlastmodified"));
  return {
    href: textIn(response.children, "href"),
    isDirectory: properties.some((one) => localOf(one) === "resourcetype" && childrenOf(one, "collection").length > 0),
    size: Number.isSafeInteger(size) && size >= 0 ? size : 0,
    modifiedAt: Number.isFinite(time) ? time : null,
    etag: textIn(properties, "getetag") || null,
    /** That of Nextcloud and ownCloud; others have neither. */
    id: textIn(properties, "fileid") || null,
    isFavourite: textIn(properties, "favorite") === "1",
  };
}
