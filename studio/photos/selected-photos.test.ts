import { describe, expect, test } from "bun:test";
import type { Photo } from "../../client/src/index.ts";
import type { Source } from "../grid/sections.ts";
import { addPhotos, loadRange, type SelectedPhotos, toggleAll, togglePhoto } from "./selected-photos.ts";

const photo = (id: number) => ({ id }) as Photo;
const idsOf = (photos: Iterable<Photo>) => [...photos].map(({ id }) => id);
const nothing: SelectedPhotos = new Map();

const months: Record<string, number[]> = { june: [9, 8, 7], may: [6, 5], april: [4, 3, 2, 1] };
const keyOf = ({ id }: Photo) => Object.keys(months).find((key) => months[key]?.includes(id));

/** Returns pages of two photos, and records which sections were read. */
function openLibrary() {
  const read: string[] = [];
  const source: Source = {
    key: crypto.randomUUID(),
    sections: Object.entries(months).map(([key, ids]) => ({ key, label: key, count: ids.length })),
    async loadPage({ key }, next) {
      read.push(key);
      const from = (next as number | null) ?? 0;
      const ids = months[key] ?? [];
      return { items: ids.slice(from, from + 2).map(photo), next: from + 2 < ids.length ? from + 2 : null };
    },
  };
  return { source, read };
}

describe("the selection of photos", () => {
  test("gets and loses single photos", () => {
    const two = togglePhoto(togglePhoto(nothing, photo(1)), photo(2));
    expect([...two.keys()]).toEqual([1, 2]);
    expect([...togglePhoto(two, photo(1)).keys()]).toEqual([2]);
  });

  test("gets a whole section, or loses it if all of it is selected", () => {
    const june = [9, 8, 7].map(photo);
    const all = toggleAll(togglePhoto(nothing, photo(8)), june);
    expect(new Set(all.keys())).toEqual(new Set([9, 8, 7]));
    expect([...toggleAll(addPhotos(all, [photo(1)]), june).keys()]).toEqual([1]);
  });

  test("gets a range over sections that have not been on the screen, and reads no others", async () => {
    const { source, read } = openLibrary();
    expect(idsOf(await loadRange(source, keyOf, [photo(8), photo(3)]))).toEqual([8, 7, 6, 5, 4, 3]);
    expect(new Set(read)).toEqual(new Set(["june", "may", "april"]));
    read.length = 0;
    expect(idsOf(await loadRange(source, keyOf, [photo(5), photo(6)]))).toEqual([6, 5]);
    expect(read).toEqual(["may"]);
  });

  test("after a photo was deleted, a range from it has only the photo that was clicked", async () => {
    const { source } = openLibrary();
    expect(idsOf(await loadRange(source, keyOf, [photo(77), photo(3)]))).toEqual([3]);
    expect(idsOf(await loadRange(null, keyOf, [photo(8), photo(3)]))).toEqual([3]);
  });
});
