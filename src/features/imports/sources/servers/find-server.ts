import { z } from "zod";
import { invalid } from "../../../../platform/errors.ts";
import { createRemote, type Remote, RemoteError } from "../../../../platform/outgoing/remote.ts";
import type { Source } from "../../item.ts";
import { immichKind } from "./immich.ts";
import { endOf, type ServerKind } from "./server.ts";
import { vitrineKind } from "./vitrine.ts";
import { webdavKind } from "./webdav.ts";

export const isServer = (word: string): boolean => /^https?:\/\//i.test(word);

/** Large enough for the description of an API. */
const longestResponse = 2 ** 25;

/** Finds out which program answers at an address, which may have the name of a user: `https://ada@cloud.example.org`. */
export async function findServer(word: string, key: string | null): Promise<ServerKind & { url: string }> {
  if (!URL.canParse(word)) throw invalid(`${word} is not an address.`);
  const address = new URL(word);
  if (address.password !== "")
    throw invalid("A password in an address can be seen by everyone on this machine: use --key-file FILE.");
  if (key === null) throw invalid(`${address.host} needs a key: use --key-file FILE, or set IMPORT_KEY.`);
  const user = decodeURIComponent(address.username);
  const url = [address.origin, ...address.pathname.split("/").filter(Boolean)].join("/");
  try {
    const kind = await recognise(url, key, user);
    if (kind)
      return { ...kind, url: user ? `${user} at ${url}` : url, open: (...given) => explained(kind.open(...given)) };
  } catch (error) {
    throw error instanceof RemoteError ? invalid(error.message) : error;
  }
  throw invalid(`${url} is neither Immich nor Nextcloud, Vitrine or another WebDAV server.`);
}

async function recognise(url: string, key: string, user: string): Promise<ServerKind | null> {
  const open = createRemote(url, {});
  const [version, status, api] = [
    z.object({ major: z.number(), minor: z.number(), patch: z.number() }),
    z.object({ installed: z.boolean(), productname: z.string().optional() }),
    z.object({ info: z.object({ title: z.literal("Vitrine") }) }),
  ];
  if (await find(open, "/api/server/version", version)) return immichKind(createRemote(url, { "x-api-key": key }));
  const withUser = createRemote(url, { Authorization: `Basic ${Buffer.from(`${user}:${key}`).toString("base64")}` });
  const cloud = await find(open, "/status.php", status);
  if (cloud) {
    if (!user) throw invalid(`Name the user as well: ${url.replace("://", "://USER@")}`);
    const title = cloud.productname === "ownCloud" ? "ownCloud" : "Nextcloud";
    const [dav, name] = [`${url}/remote.php/dav`, encodeURIComponent(user)];
    return webdavKind(withUser, { title, top: `${dav}/files/${name}/`, albums: `${dav}/photos/${name}/albums/` });
  }
  if (await find(open, "/openapi.json", api)) return vitrineKind(createRemote(url, { Authorization: `Bearer ${key}` }));
  const dav = user ? withUser : createRemote(url, { Authorization: `Bearer ${key}` });
  return (await isDav(dav)) ? webdavKind(dav, { title: "WebDAV", top: `${url}/`, albums: null }) : null;
}

/** What lies at a path, if it is what it should be. */
async function find<Schema extends z.ZodType>(remote: Remote, path: string, schema: Schema) {
  try {
    return schema.safeParse(JSON.parse(await remote.text(path, longestResponse))).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof RemoteError && error.status !== null && error.status < 500) return null;
    throw error;
  }
}

async function isDav(remote: Remote): Promise<boolean> {
  const options = { method: "PROPFIND", headers: { Depth: "0" } } as const;
  try {
    return await remote.text(`${remote.url}/`, longestResponse, options).then((text) => text.includes("multistatus"));
  } catch (error) {
    if (error instanceof RemoteError && [400, 404, 405, 501].includes(error.status ?? 0)) return false;
    throw error;
  }
}

/** A failure that ends the import is a sentence. */
function explained(source: Source): Source {
  return {
    ...source,
    async *items() {
      try {
        yield* source.items();
      } catch (error) {
        if (error instanceof z.ZodError || error instanceof SyntaxError)
          throw endOf(new Error("The server has sent something that is not as it is documented."));
        throw error instanceof RemoteError ? endOf(error) : error;
      }
    },
  };
}
