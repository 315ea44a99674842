import { queryOptions } from "@tanstack/react-query";
import type { DuplicatePhotos, Photo } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { changeMany } from "../photos/change-many.ts";
import { duplicatesTexts as t } from "./texts.ts";

export type Group = DuplicatePhotos["groups"][number];

export const duplicatesQuery = queryOptions({
  queryKey: ["photos", "duplicates"],
  queryFn: ({ signal }) => api.listDuplicatePhotos({}, { signal }),
});

/** Groups keep their place on the screen while others go. */
export const keyOf = ({ copies }: Group): number => Math.min(...copies.map(({ photo }) => photo.id));

/** Keeps some copies of a group, and moves the others to the trash. Several that are kept are not suggested again. */
export async function keepCopies(group: Group, kept: ReadonlySet<number>): Promise<void> {
  const photos = group.copies.map(({ photo }) => photo);
  const [keeping, leaving] = [photos.filter(({ id }) => kept.has(id)), photos.filter(({ id }) => !kept.has(id))];
  hide(group);
  if (keeping.length > 1 && !(await mark(keeping, false))) return;
  if (leaving.length > 0) return changeMany(leaving, { trash: true });
  showToast({ text: t.notSuggested, undo: () => void mark(keeping, true) });
  await reload();
}

async function mark(photos: Photo[], areDuplicates: boolean): Promise<boolean> {
  try {
    await api.decideDuplicatePhotos({ photoIDs: photos.map(({ id }) => id), areDuplicates });
    if (areDuplicates) await reload();
    return true;
  } catch (error) {
    showToast({ text: explain(error), isFailure: true });
    await reload();
    return false;
  }
}

function hide(group: Group): void {
  queries.setQueryData(duplicatesQuery.queryKey, (found) => {
    if (!found) return found;
    const groups = found.groups.filter((one) => keyOf(one) !== keyOf(group));
    return { ...found, groups, total: found.total - 1 };
  });
}

async function reload(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: duplicatesQuery.queryKey }),
    queries.invalidateQueries({ queryKey: ["attention"] }),
  ]);
}
