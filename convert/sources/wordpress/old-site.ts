import type { SourceOptions } from "../../format/job.ts";
import { type TreeFile, UnusableEntry } from "../../../src/platform/archives/tree.ts";
import { download } from "../../../src/platform/outgoing/download.ts";
import { RemoteDamage, RemoteError } from "../../../src/platform/outgoing/remote.ts";

const largest = 2 ** 31;
/** A server that has not responded so many times in a row is not asked any more. */
const mostSilences = 3;

/** A file that can be read at an address of the old site. */
type RemoteFile = TreeFile & { url: string };

/** Reads what is missing from the old site, and from nowhere that is not on the public internet. */
export function createOldSite({ allowPrivate }: NonNullable<SourceOptions["fetch"]>) {
  const silences = new Map<string, number>();

  return (key: string, url: string): RemoteFile => ({
    path: key.split("/"),
    url,
    // Nobody knows before it was read.
    size: 0,
    modifiedAt: null,
    open: () => read(url),
  });

  async function* read(address: string): AsyncGenerator<Uint8Array> {
    const url = new URL(address);
    url.username = url.password = url.hash = "";
    const silent = silences.get(url.host) ?? 0;
    if (silent >= mostSilences) throw new UnusableEntry(`${url.host} cannot be reached.`);
    try {
      yield* download(url, {
        maxBytes: largest,
        allowPrivate,
        check: ({ "content-type": type }) => checkType(url, type),
      });
      silences.delete(url.host);
    } catch (error) {
      if (!(error instanceof RemoteError) && !(error instanceof RemoteDamage)) throw error;
      const isSilent = error instanceof RemoteError && error.status === null;
      silences.set(url.host, isSilent ? silent + 1 : 0);
      throw new UnusableEntry(error.message, { cause: error });
    }
  }
}

/** Many sites show a page wherever they have nothing. */
function checkType({ host, pathname }: URL, type: string | undefined): void {
  if (/^text\/html\b/i.test(type ?? "") && !/\.x?html?$/i.test(pathname))
    throw new RemoteError(`${host} has a page there, and not the file.`, 404);
}
