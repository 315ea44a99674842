// Runs on the embedded engines only: what is read of other servers does not depend on the engines.
import { expect, test } from "bun:test";
import { type FakeRequest, type FakeResponse, startFake } from "../../../tests/kit/servers/fake-servers.ts";
import { createRemote } from "../../../src/platform/outgoing/remote.ts";
import { takeItems } from "../../../tests/kit/trees.ts";
import { immichKind } from "./immich.ts";

const idOf = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const asset = (n: number, name: string, visibility = "timeline", more: object = {}) => ({
  id: idOf(n),
  ownerId: "me",
  originalFileName: name,
  checksum: "x",
  localDateTime: "2023-07-05T23:30:00.000Z",
  visibility,
  ...more,
});
const assets = [
  asset(1, "IMG_1.jpg"),
  asset(2, "IMG_2.jpg", "archive"),
  asset(3, "damaged.jpg", "timeline", { checksum: null }),
  asset(4, "other.jpg", "timeline", { id: "none" }),
  asset(5, "theirs.jpg", "timeline", { ownerId: "other" }),
  asset(6, "gone.jpg", "timeline", { isOffline: true }),
  asset(7, "deleted.jpg", "timeline", { isTrashed: true }),
  asset(8, "alone.mov", "hidden"),
  { ...asset(9, ""), originalFileName: undefined },
];
const lists: Record<string, unknown[]> = {
  "/api/albums": [{ id: idOf(1), albumName: "Harbours", ownerId: "me" }, { albumName: "Damaged" }],
  "/api/tags": [{ id: 1, value: "sea" }],
  "/api/stacks": [{ assets: [] }],
  "/api/shared-links": [{}, { id: idOf(1), slug: "summer" }],
};

function respond({ path, query, body }: FakeRequest): FakeResponse {
  if (path === "/api/users/me") return { body: { id: "me" } };
  if (path === "/api/assets/statistics") return { body: { total: query.get("isTrashed") === "true" ? 3 : 100 } };
  if (path !== "/api/search/metadata") return lists[path] ? { body: lists[path] } : { status: 404 };
  const { visibility, albumIds, page } = JSON.parse(body);
  const found = assets.filter(
    (one) => one.visibility === visibility && (!albumIds || one.id === idOf(1) || one.id === idOf(3)),
  );
  const start = (page - 1) * 2;
  const nextPage = start + 2 < found.length ? String(page + 1) : null;
  return { body: { assets: { items: found.slice(start, start + 2), nextPage } } };
}

test("everything that Immich has is taken, or has a line with the name of its file, once", async () => {
  await using fake = await startFake(respond);
  const wish = { hasPhotos: true, hasAlbums: false, hasPeople: false, visibility: "private" as const };
  const items = await takeItems(immichKind(createRemote(fake.url, {})).list(wish));
  const files = items.filter((item) => item.kind === "file");
  expect(files.map(({ key, name, albums }) => [key, name, albums])).toEqual([
    [idOf(1), "2023/07/IMG_1.jpg", [idOf(1)]],
    [idOf(2), "2023/07/IMG_2.jpg", []],
  ]);
  const lines = items.flatMap((item) => ("reason" in item ? [`${item.kind}: ${item.key}: ${item.reason}`] : []));
  expect(lines).toEqual([
    "note: shared link of summer: It is not taken: share it here again.",
    "refused: albums: 1 of them has not the form that Immich documents.",
    "refused: tags: 1 of them has not the form that Immich documents.",
    "refused: stacks: 1 of them has not the form that Immich documents.",
    "refused: shared links: 1 of them has not the form that Immich documents.",
    'refused: damaged.jpg: What Immich says of it has not the form that it documents, in "checksum".',
    'refused: other.jpg: What Immich says of it has not the form that it documents, in "id".',
    `refused: ${idOf(9)}: What Immich says of it has not the form that it documents, in "originalFileName".`,
    "refused: 2023/07/gone.jpg: Immich does not find its file.",
    "note: 2023/07/deleted.jpg: It is in the trash of Immich.",
    "refused: 2023/07/alone.mov: It is the moving part of a photo that is not there.",
    "note: pictures of others: 1 that belongs to somebody else is left out.",
    "note: trash: 3 pictures and videos in the trash of Immich are left out.",
  ]);
});
