import type { Tree, TreeEntry, TreeFile } from "../../../src/platform/archives/tree.ts";
import { type Remote, RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { type DavEntry, propfindBody, readMultistatus } from "./propfind.ts";
import { readFile } from "./server.ts";

const deepest = 60;
const mostFolders = 200_000;

/** A folder of a WebDAV server, as it is when it is listed. */
export type DavTree = Tree & {
  /** What the server says of a file that was listed, by its path. */
  facts: Map<string, DavEntry>;
};

type Folder = { path: string[]; href: string; ids: string[] };

export function openDav(remote: Remote, top: string, name: string): DavTree {
  const facts = new Map<string, DavEntry>();

  /** Each folder comes before what lies in it, and its files before its folders. */
  async function* list(): AsyncGenerator<TreeEntry> {
    const folders: Folder[] = [{ path: [], href: top, ids: [] }];
    let count = 0;
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      if (++count > mostFolders) throw new RemoteError(`${remote.url} has more than ${mostFolders} folders.`, 400);
      const inside: Folder[] = [];
      for (const entry of await listFolder(remote, folder.href)) {
        const found = nameIn(folder.href, entry.href, remote);
        if (found === null) continue;
        const path = [...folder.path, found.name];
        const reason = found.reason ?? (path.length > deepest ? "It is nested too deeply." : null);
        const isLoop = entry.isDirectory && entry.id !== null && folder.ids.includes(entry.id);
        if (reason !== null || isLoop) {
          yield { path: path.join("/"), reason: reason ?? "It contains itself." };
        } else if (entry.isDirectory) {
          yield { path, isDirectory: true };
          const href = entry.href.endsWith("/") ? entry.href : `${entry.href}/`;
          inside.push({ path, href, ids: entry.id === null ? folder.ids : [...folder.ids, entry.id] });
        } else yield toFile(path, entry);
      }
      for (const next of inside.toReversed()) folders.push(next);
    }
  }

  function toFile(path: string[], entry: DavEntry): TreeFile {
    facts.set(path.join("/"), entry);
    const { size, modifiedAt, href } = entry;
    return { path, size, modifiedAt, open: () => readFile(remote, remote.atHome(href), size, null) };
  }

  return { name, facts, list, async [Symbol.asyncDispose]() {} };
}

/** The folder itself and what lies directly in it. */
export function listFolder(remote: Remote, href: string): Promise<DavEntry[]> {
  const headers = { Depth: "1", "Content-Type": "application/xml; charset=utf-8" };
  const options = { method: "PROPFIND" as const, headers, body: propfindBody };
  return remote.read(remote.atHome(href), options, (body) => readMultistatus(body));
}

/** The name of an entry in the folder; null for the folder itself. Servers write addresses in several ways. */
export function nameIn(folder: string, href: string, remote: Remote): { name: string; reason?: string } | null {
  const refuse = (reason: string) => ({ name: href.slice(0, 300), reason });
  if (!URL.canParse(href, remote.url)) return refuse("Its address is not valid.");
  const [above, address] = [new URL(folder, remote.url), new URL(href, remote.url)];
  if (address.host !== above.host) return refuse("Its address leads to another server.");
  const [steps, names] = [stepsOf(above), stepsOf(address)];
  if (!steps || !names) return refuse("Its address is not valid.");
  const isInside = steps.every((step, index) => names[index] === step);
  if (isInside && names.length === steps.length) return null;
  const name = names.at(-1) ?? "";
  if (!isInside || names.length !== steps.length + 1) return refuse("It does not lie in the folder that lists it.");
  return name.includes("/") ? refuse("Its name contains a slash.") : { name };
}

function stepsOf({ pathname }: URL): string[] | null {
  try {
    return pathname
      .split("/")
      .filter(Boolean)
      .map((step) => decodeURIComponent(step).normalize("NFC"));
  } catch {
    return null;
  }
}
