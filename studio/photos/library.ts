import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Photo } from "../../client/src/index.ts";
import { parseBox } from "../../src/web/design/browser/moving-map.ts";
import type { PhotoPage, Section, Source } from "../grid/sections.ts";
import { api } from "../lib/api.ts";
import { formatMonth, formatNumber } from "../lib/format.ts";
import { type Filters, toQuery } from "./filters.ts";
import { photosTexts as t } from "./texts.ts";

type Months = { months: { month: string; count: number }[]; hasUndated: boolean };

/** The photos that the filters find, by month; those that are found by words are one section. */
export function useLibrary(filters: Filters) {
  const key = JSON.stringify(filters);
  const timeline = useQuery({
    queryKey: ["timeline", key],
    queryFn: ({ signal }) => readMonths(filters, signal),
    enabled: !filters.q,
  });
  const source = useMemo((): Source | null => {
    const sections = filters.q ? [foundSection(filters.q)] : timeline.data && toSections(timeline.data);
    return sections ? sourceOf(filters, sections) : null;
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, timeline.data]);
  const about = timeline.data && describeCount(timeline.data);
  return { source, about, error: timeline.error, refetch: timeline.refetch };
}

/** Those without a date are not counted. */
function describeCount({ months, hasUndated }: Months): string | undefined {
  const dated = months.reduce((sum, { count }) => sum + count, 0);
  if (hasUndated) return dated === 0 ? undefined : t.countOfDated(formatNumber(dated));
  return dated === 1 ? t.one : t.count(formatNumber(dated));
}

export const sourceOf = (filters: Filters, sections: Section[]): Source => ({
  key: JSON.stringify(filters),
  sections,
  loadPage: (section, next, options) => loadPhotos(filters, section, next, options),
});

async function readMonths(filters: Filters, signal: AbortSignal): Promise<Months> {
  const query = toQuery(filters);
  const [{ items, next }, found] = await Promise.all([
    api.listPhotos({ ...query, dated: "false", sort: "takenAt", cursor: "", pageSize: 1 }, { signal }),
    Array.fromAsync(api.readTimeline.all(query, { signal })),
  ]);
  const counts = new Map<string, number>();
  for (const { month, count } of found) counts.set(month, count + (counts.get(month) ?? 0));
  return {
    months: [...counts].map(([month, count]) => ({ month, count })),
    hasUndated: items.length > 0 || next !== null,
  };
}

function toSections({ months, hasUndated }: Months): Section[] {
  const dated = months.map(({ month, count }) => ({ key: month, label: formatMonth(month), count }));
  return hasUndated ? [...dated, undatedSection] : dated;
}

export const undatedSection: Section = { key: "undated", label: t.undated, count: null };
export const foundSection = (words: string): Section => ({ key: "found", label: t.found(words), count: null });

/** The section in which a photo is. */
export const sectionOf = ({ q }: Filters, { takenAt }: Pick<Photo, "takenAt">): string =>
  q ? foundSection(q).key : (takenAt?.slice(0, 7) ?? undatedSection.key);

type Options = { pageSize: number; signal: AbortSignal };

async function loadPhotos(
  filters: Filters,
  { key }: Section,
  next: unknown,
  { pageSize, signal }: Options,
): Promise<PhotoPage> {
  if (filters.q) return search(filters, filters.q, next as string | null, signal);
  const span = key === undatedSection.key ? { dated: "false" as const } : { from: `${key}-01`, to: monthAfter(key) };
  const sorted = { sort: "takenAt", order: "desc", cursor: "" } as const;
  const first = { ...toQuery(filters), ...span, ...sorted };
  const { cursor } = (next as { cursor: string } | null) ?? first;
  return api.listPhotos({ ...first, cursor, pageSize }, { signal });
}

/** The first day of the next month. */
function monthAfter(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return date.toISOString().slice(0, 10);
}

/** A search has no filters of photos: they are applied to what was found. */
async function search(filters: Filters, q: string, cursor: string | null, signal: AbortSignal): Promise<PhotoPage> {
  const page = await api.search({ q, kind: "photo", pageSize: 100, cursor: cursor ?? "" }, { signal });
  const { tag, favourite, kind, visibility, title, bbox } = filters;
  const items = page.items
    .map(({ record }) => record as Photo)
    .filter(
      (photo) =>
        (!tag || photo.tags.some((one) => one.toLowerCase() === tag.toLowerCase())) &&
        (!favourite || photo.isFavourite) &&
        (!kind || photo.kind === kind) &&
        (!title || photo.isUntitled) &&
        (!bbox || isIn(bbox, photo.place)) &&
        (!visibility || photo.visibility === visibility),
    );
  return { items, next: page.next?.cursor ?? null };
}

function isIn(bbox: string, place: Photo["place"]): boolean {
  const { latitude, longitude } = place ?? {};
  if (latitude == null || longitude == null) return false;
  const { west, south, east, north } = parseBox(bbox);
  const isBetween = west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isBetween && latitude >= south && latitude <= north;
}
