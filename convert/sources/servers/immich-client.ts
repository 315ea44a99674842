import { z } from "zod";
import { type Remote, RemoteError } from "../../../src/platform/outgoing/remote.ts";
import { usableIn } from "../files.ts";
import { createCounts } from "../items.ts";
import { endOf } from "./server.ts";

const pageSize = 1000;
/** A page of a thousand has about two megabytes; a list of all stacks has all their pictures. */
const longestResponse = 2 ** 28;
const mostAssets = 2_000_000;

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);

const exif = z.object({
  description: text,
  fileSizeInByte: number,
  latitude: number,
  longitude: number,
  city: text,
  country: text,
});

const asset = z.object({
  id: z.uuid(),
  ownerId: text,
  libraryId: text,
  originalFileName: z.string(),
  checksum: z.string(),
  createdAt: z.string().catch(""),
  fileModifiedAt: text,
  localDateTime: text,
  isFavorite: z.boolean().catch(false),
  isTrashed: z.boolean().catch(false),
  isOffline: z.boolean().catch(false),
  isArchived: z.boolean().catch(false),
  livePhotoVideoId: text,
  exifInfo: exif.nullish().catch(null),
  people: z
    .array(z.object({ name: z.string(), isHidden: z.boolean().catch(false) }))
    .nullish()
    .catch(null),
});
export type Asset = z.output<typeof asset>;

const page = z.object({
  assets: z.object({ items: z.array(z.unknown()), nextPage: z.string().nullish() }),
});

const album = z.object({
  id: z.uuid(),
  albumName: z.string(),
  description: z.string().catch(""),
  albumThumbnailAssetId: text,
  order: z.enum(["asc", "desc"]).catch("desc"),
  ownerId: text,
  // Since 3.0, the first one is the owner.
  albumUsers: z
    .array(z.object({ user: z.object({ id: z.string() }) }))
    .nullish()
    .catch(null),
});
const tag = z.object({ id: z.uuid(), value: z.string() });
const stack = z.object({ primaryAssetId: z.string(), assets: z.array(z.object({ id: z.string() })) });
const link = z.object({
  id: z.string(),
  description: text,
  slug: text,
  album: z.object({ albumName: z.string() }).nullish().catch(null),
});

type AssetQuery = {
  visibility: "timeline" | "archive" | "hidden";
  albumIds?: string[];
  tagIds?: string[];
  withExif?: boolean;
  withPeople?: boolean;
};

const statistics = z.object({ total: z.int().nonnegative() });

/** The API of Immich 2 and 3, as far as it is read. What is malformed in a list is reported, and the rest is used. */
export function createImmichClient(remote: Remote) {
  /** How many entries of lists cannot be used. */
  const lost = createCounts();

  async function read(path: string, body?: object): Promise<unknown> {
    const options = body && {
      method: "POST" as const,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    };
    return JSON.parse(await remote.text(`/api${path}`, longestResponse, options));
  }

  /** Those of a list that are as they should be. */
  async function list<Schema extends z.ZodType>(what: string, schema: Schema): Promise<z.output<Schema>[]> {
    const all = z.array(z.unknown()).parse(await read(`/${what.replace(" ", "-")}`));
    const usable = usableIn(schema).parse(all);
    lost.add(what, all.length - usable.length);
    return usable;
  }

  /** Oldest first, so that what is added meanwhile comes at the end. */
  async function* assets(query: AssetQuery, lose?: (name: string, field: string) => void): AsyncGenerator<Asset> {
    let count = 0;
    for (let number = 1; ; number++) {
      const { items, nextPage } = page.parse(
        await read("/search/metadata", { ...query, order: "asc", page: number, size: pageSize }),
      ).assets;
      for (const one of items) {
        const { data, error } = asset.safeParse(one);
        if (data) yield data;
        else lose?.(nameOf(one), String(error.issues[0]?.path[0] ?? ""));
      }
      count += items.length;
      if (nextPage !== String(number + 1) || items.length === 0) return;
      if (count > mostAssets) throw endOf(new Error(`${remote.url} does not come to an end.`));
    }
  }

  return {
    assets,
    lost,
    albums: () => list("albums", album),
    tags: () => list("tags", tag),
    stacks: () => list("stacks", stack),
    sharedLinks: () => list("shared links", link),
    /** Null if the key may not ask for it, or an older Immich does not say it. */
    async countTrashed(): Promise<number | null> {
      try {
        return statistics.parse(await read("/assets/statistics?isTrashed=true")).total;
      } catch (error) {
        if (error instanceof z.ZodError || (error instanceof RemoteError && error.status !== null)) return null;
        throw error;
      }
    },
    /** Null if the key may not say whose it is. */
    async findUserID(): Promise<string | null> {
      try {
        return z.object({ id: z.string() }).parse(await read("/users/me")).id;
      } catch (error) {
        if (error instanceof RemoteError && error.status === 403) return null;
        throw error;
      }
    },
  };
}

/** What an asset is called, whatever else is wrong with it. */
const nameOf = (one: unknown): string => {
  const { originalFileName = null, id = null } =
    z.object({ originalFileName: text, id: text }).safeParse(one).data ?? {};
  return originalFileName || id || "an asset";
};

export type ImmichClient = ReturnType<typeof createImmichClient>;
