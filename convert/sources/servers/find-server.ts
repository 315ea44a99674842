import { z } from "zod";
import { invalid } from "../../../src/platform/errors.ts";
import { createRemote, type Remote, RemoteError, type RemoteOptions } from "../../../src/platform/outgoing/remote.ts";
import type { NamedServer } from "../../format/job.ts";
import { immichKind } from "./immich.ts";
import { endOf, type ServerKind } from "./server.ts";
import { vitrineKind } from "./vitrine.ts";
import { signIn } from "./vitrine-client.ts";
import { webdavKind } from "./webdav.ts";

/** Large enough for the description of an API. */
const longestResponse = 2 ** 25;

/** Finds out which program responds at an address. Throws `ServerGone` if none does. */
export async function findServer(
  { url, user, key, kind: expected, isGuarded }: NamedServer,
  more: RemoteOptions = {},
): Promise<ServerKind & { url: string }> {
  const options = { isGuarded, ...more };
  return explain(async () => {
    const kind = await recognise({ url, key, user, options });
    if (!kind) throw invalid(`${url} is neither Immich nor Nextcloud, Vitrine or another WebDAV server.`, "server");
    if (expected !== undefined && kind.kind !== expected)
      throw invalid(`This is another program: ${kind.title} responds at ${url}.`, "server");
    return {
      ...kind,
      url: user ? `${user} at ${url}` : url,
      check: () => explain(() => kind.check()),
      async *list(...given) {
        try {
          yield* kind.list(...given);
        } catch (error) {
          throw toSentence(error);
        }
      },
    };
  });
}

type Place = { url: string; key: string; user: string; options: RemoteOptions };

async function recognise({ url, key, user, options }: Place): Promise<ServerKind | null> {
  const open = createRemote(url, {}, options);
  const withHeader = (name: string, value: string) => {
    // What cannot be a header would fail with a sentence about headers.
    if (!/^[\x20-\x7e]+$/.test(value)) throw invalid("The key has characters that no key can have.", "key");
    return createRemote(url, { [name]: value }, options);
  };
  const [version, status, api] = [
    z.object({ major: z.number(), minor: z.number(), patch: z.number() }),
    z.object({ installed: z.boolean(), productname: z.string().optional() }),
    z.object({ info: z.object({ title: z.literal("Vitrine") }) }),
  ];
  if (await find(open, "/api/server/version", version)) return immichKind(withHeader("x-api-key", key));
  const withUser = () => withHeader("Authorization", `Basic ${Buffer.from(`${user}:${key}`).toString("base64")}`);
  const cloud = await find(open, "/status.php", status);
  if (cloud) {
    if (!user) throw invalid(`Name the user as well: ${url.replace("://", "://USER@")}`, "server");
    const title = cloud.productname === "ownCloud" ? "ownCloud" : "Nextcloud";
    const [dav, name] = [`${url}/remote.php/dav`, encodeURIComponent(user)];
    return webdavKind(withUser(), { title, top: `${dav}/files/${name}/`, albums: `${dav}/photos/${name}/albums/` });
  }
  if (await find(open, "/openapi.json", api)) {
    const token = user ? await signIn(open, user, key) : key;
    return vitrineKind(withHeader("Authorization", `Bearer ${token}`));
  }
  const dav = user ? withUser() : withHeader("Authorization", `Bearer ${key}`);
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

/** A failure is a sentence. */
const explain = <Result>(work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => {
    throw toSentence(error);
  });

function toSentence(error: unknown): unknown {
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return endOf(new Error("The server sent an unexpected response."));
  return error instanceof RemoteError ? endOf(error) : error;
}
