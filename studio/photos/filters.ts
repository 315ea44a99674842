import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { parseBox } from "../../src/web/design/browser/moving-map.ts";
import { useIsAdmin } from "../lib/me.ts";

/** Which photos are shown. They are the parameters of the address. */
export type Filters = {
  q?: string;
  tag?: string;
  favourite?: "only";
  kind?: "image" | "video";
  visibility?: "public" | "private";
  /** Photos in no album of their owner. */
  album?: "none";
  /** Those whose titles are names of files. */
  title?: "none";
  /** Those that were taken in this area of the map: west, south, east and north in degrees. */
  bbox?: string;
  /** For admins: the photos of everyone, instead of their own. */
  owner?: "all";
};

const choices = {
  favourite: ["only"],
  kind: ["image", "video"],
  visibility: ["public", "private"],
  album: ["none"],
  title: ["none"],
  owner: ["all"],
} as const;

export function useFilters(): Filters {
  const search = useSearch({ strict: false }) as Record<string, string>;
  const isAdmin = useIsAdmin();
  return useMemo(() => readFilters(search, isAdmin), [search, isAdmin]);
}

function readFilters(search: Record<string, string>, isAdmin: boolean): Filters {
  const found: Record<string, string> = {};
  for (const name of ["q", "tag"]) if (search[name]?.trim()) found[name] = search[name].trim();
  for (const [name, values] of Object.entries(choices)) {
    const value = search[name];
    if (value !== undefined && (values as readonly string[]).includes(value)) found[name] = value;
  }
  if (isBox(search["bbox"] ?? "")) found["bbox"] = search["bbox"] ?? "";
  if (!isAdmin) delete found["owner"];
  // The list of photos without titles is kept for each owner.
  if (found["owner"]) delete found["title"];
  // A search does not say in which albums a photo is.
  if (found["q"]) delete found["album"];
  return found;
}

/** Whether the API takes it. */
function isBox(text: string): boolean {
  if (!/^-?[\d.]+(,-?[\d.]+){3}$/.test(text)) return false;
  const { west, south, east, north } = parseBox(text);
  return south >= -90 && south <= north && north <= 90 && [west, east].every((one) => Math.abs(one) <= 180);
}

/** Changes the address. An undefined filter is removed. */
export function useSetFilters() {
  const navigate = useNavigate();
  return (filters: Filters) => void navigate({ to: "/photos", search: toSearch(filters), replace: true });
}

export const toSearch = (filters: Filters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ""));

/** The filters as the API has them, apart from the words that are searched. */
export function toQuery({ tag, favourite, kind, visibility, album, title, bbox, owner }: Filters) {
  const whose =
    owner === "all"
      ? { visibility: visibility ?? ("all" as const) }
      : { owner: "me", ...(visibility && { visibility }) };
  return {
    ...whose,
    ...(tag && { tag }),
    ...(favourite && { favourite: "true" as const }),
    ...(kind && { kind }),
    ...(album && { inAlbum: "false" as const }),
    ...(title && { untitled: "true" as const }),
    ...(bbox && { bbox }),
  } as const;
}
