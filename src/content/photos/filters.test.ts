import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { visitPages } from "../../../tests/kit/cursors.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { video } from "../../../tests/kit/files/videos.ts";
import { takenPicture } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const photos = "/api/v1/photos";

type Known = {
  id: number;
  owner: number;
  isPrivate: boolean;
  takenAt: string | null;
  camera: string | null;
  tags: string[];
  isFavourite: boolean;
  albums: number[];
  kind: "image" | "video";
};
const known: Known[] = [];
const albums: number[] = [];

const server = useServer();
const people = server.people();
beforeAll(async () => {
  const { owner, stranger } = people;
  for (const visibility of ["public", "private"])
    albums.push((await owner.post("/api/v1/albums", { name: "Album", visibility })).body.id);
  const files = new Map<Client, { id: number; takenAt: string | null; camera: string | null; kind: Known["kind"] }[]>();
  for (const who of [owner, stranger]) {
    const own = [];
    for (const [index, time] of ["2019:12:31 23:59:59", "2020:01:01 00:00:00", "2020:06:15 12:00:00"].entries()) {
      const camera = index === 1 ? "Second" : "First";
      const { body } = await who.upload("a.jpg", await takenPicture(time, camera, index * 60));
      const takenAt = `${time.slice(0, 10).replaceAll(":", "-")}T${time.slice(11)}.000Z`;
      own.push({ id: body.id, takenAt, camera, kind: "image" as const });
    }
    const { body } = await who.upload("video.mp4", video());
    own.push({ id: body.id, takenAt: null, camera: null, kind: "video" as const });
    files.set(who, own);
  }
  for (let number = 0; number < 48; number++) {
    const who = number % 4 === 3 ? stranger : owner;
    const own = files.get(who) ?? [];
    const file = own[(number >> 1) % own.length]!;
    const correction = number % 7 === 0 ? "2020-01-31T23:59:59.999Z" : null;
    const isPrivate = number % 3 === 0;
    const tags = ["Sea", "Sky"].filter((_, index) => (number >> index) % 2 === 0);
    const isFavourite = number % 5 === 0;
    const { body } = await who.post(photos, {
      title: `${number}`,
      fileID: file.id,
      width: 8,
      height: 8,
      visibility: isPrivate ? "private" : "public",
      takenAt: correction,
      tags,
      isFavourite,
    });
    const inAlbums = albums.filter((_, index) => who === owner && (number >> index) % 3 === 0);
    for (const album of inAlbums) await owner.post(`/api/v1/albums/${album}/photos`, { photoID: body.id });
    const { camera, kind } = file;
    const takenAt = correction ?? file.takenAt ?? body.takenAt;
    known.push({
      id: body.id,
      owner: who.userID,
      isPrivate,
      takenAt,
      camera,
      tags,
      isFavourite,
      albums: inAlbums,
      kind,
    });
  }
});

type Query = Record<string, string | undefined>;

const optional = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const query: fc.Arbitrary<Query> = fc.record({
  owner: optional("me", "1", "2"),
  tag: optional("sea", "SKY", "none"),
  favourite: optional("true", "false"),
  from: optional("2019-12-31", "2020-01-01", "2020-01-31T23:59:59.999Z"),
  to: optional("2020-01-01T00:00:00.001Z", "2020-06-15T12:00:00Z", "2021-01-01"),
  dated: optional("true", "false"),
  visibility: optional("public", "private"),
  camera: optional("first", "Second"),
  albumID: optional("1", "2", "99"),
  inAlbum: optional("true", "false"),
  kind: optional("image", "video"),
  sort: optional("createdAt", "takenAt"),
  order: optional("asc", "desc"),
});

/** What the viewer should get, decided from what was created. */
function expected(viewer: Client, asked: Query): Known[] {
  const isMine = (photo: Known) => photo.owner === viewer.userID;
  const isAdmin = viewer === people.admin;
  const ownerID = { me: viewer.userID, "1": people.owner.userID, "2": people.stranger.userID }[asked.owner ?? ""];
  const isAlbumSeen = asked.albumID !== "2" || isAdmin || viewer === people.owner;
  // The albums are those of the owner.
  const isInOwnAlbum = (photo: Known) => photo.owner === people.owner.userID && photo.albums.length > 0;
  const found = known.filter(
    (photo) =>
      (ownerID === undefined || photo.owner === ownerID) &&
      (!photo.isPrivate || ["all", "private"].includes(asked.visibility ?? "") || asked.owner === "me") &&
      (asked.visibility !== "private" || photo.isPrivate) &&
      (asked.visibility !== "public" || !photo.isPrivate) &&
      (asked.dated === undefined || (photo.takenAt !== null) === (asked.dated === "true")) &&
      (asked.tag === undefined || photo.tags.some((tag) => tag.toLowerCase() === asked.tag?.toLowerCase())) &&
      (asked.favourite === undefined || (photo.isFavourite && isMine(photo)) === (asked.favourite === "true")) &&
      (asked.from === undefined || (photo.takenAt !== null && Date.parse(photo.takenAt) >= Date.parse(asked.from))) &&
      (asked.to === undefined || (photo.takenAt !== null && Date.parse(photo.takenAt) < Date.parse(asked.to))) &&
      (asked.camera === undefined || photo.camera?.toLowerCase() === asked.camera.toLowerCase()) &&
      (asked.albumID === undefined ||
        (isAlbumSeen && photo.albums.includes(albums[Number(asked.albumID) - 1] ?? -1))) &&
      (asked.inAlbum === undefined || isInOwnAlbum(photo) === (asked.inAlbum === "true")) &&
      (asked.kind === undefined || photo.kind === asked.kind),
  );
  const sign = asked.order === "asc" ? 1 : -1;
  const byID = (one: Known, other: Known) => sign * (one.id - other.id);
  if (asked.sort !== "takenAt") return found.toSorted(byID);
  const dated = found.filter(({ takenAt }) => takenAt !== null);
  const byDate = (one: Known, other: Known) =>
    sign * (Date.parse(one.takenAt ?? "") - Date.parse(other.takenAt ?? "")) || byID(one, other);
  return [...dated.toSorted(byDate), ...found.filter(({ takenAt }) => takenAt === null).toSorted(byID)];
}

const print = (asked: Query) =>
  Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`)
    .join("&");

/** `owner=1` and `albumID=1` mean the first of the test. */
function address(asked: Query): string {
  const owners: Query = { "1": `${people.owner.userID}`, "2": `${people.stranger.userID}`, me: "me" };
  const albumID = asked.albumID && `${albums[Number(asked.albumID) - 1] ?? 99_999}`;
  return print({ ...asked, owner: owners[asked.owner ?? ""], albumID });
}

const isRefused = (viewer: Client, asked: Query) =>
  (asked.owner === "me" && viewer === people.guest) ||
  (asked.visibility === "private" && asked.owner !== "me" && viewer !== people.admin) ||
  (asked.inAlbum !== undefined && asked.owner !== "me" && viewer !== people.admin) ||
  (asked.dated === "false" && (asked.from ?? asked.to) !== undefined) ||
  (asked.from !== undefined && asked.to !== undefined && Date.parse(asked.from) >= Date.parse(asked.to));

describe("photos by any combination of filters", () => {
  test("the list has exactly the matching photos, in order, at any page size", async () => {
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.constantFrom("owner", "stranger", "admin", "guest"),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        async (some, name, pageSize, isAll) => {
          const viewer = people[name];
          const asked = isAll && name === "admin" ? { ...some, visibility: "all" } : some;
          if (isRefused(viewer, asked)) return;
          const pages = await visitPages(viewer, `${photos}?${address(asked)}`, pageSize);
          expect([asked, name, pages.flat().map(({ id }) => id)]).toEqual([
            asked,
            name,
            expected(viewer, asked).map(({ id }) => id),
          ]);
        },
      ),
      { numRuns: 150, endOnFailure: true },
    );
  });

  test("the timeline counts the same photos", async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom("owner", "stranger", "admin", "guest"), async (some, name) => {
        const viewer = people[name];
        const { sort: _, order: __, ...filters } = some;
        const asked: Query = name === "admin" ? { ...filters, visibility: "all" } : filters;
        if (isRefused(viewer, asked)) return;
        const counts = new Map<string, number>();
        for (const { takenAt } of expected(viewer, { ...asked, sort: "takenAt" })) {
          const month = takenAt?.slice(0, 7);
          if (month) counts.set(month, 1 + (counts.get(month) ?? 0));
        }
        for (const more of ["", "&cursor="]) {
          const { body } = await viewer.get(`${photos}/timeline?${address(asked)}${more}`);
          expect([asked, body]).toEqual([asked, [...counts].map(([month, count]) => ({ month, count }))]);
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });

  test("filters of one's own need a token, and visibility=all an admin", async () => {
    for (const path of [photos, `${photos}/timeline`]) {
      expect((await people.guest.get(`${path}?owner=me`)).status).toBe(401);
      expect((await people.guest.get(`${path}?visibility=all`)).status).toBe(401);
      expect((await people.owner.get(`${path}?visibility=all`)).status).toBe(403);
      expect((await people.guest.get(`${path}?visibility=private`)).status).toBe(401);
      const { status, body } = await people.owner.get(`${path}?visibility=private`);
      expect([status, body.error]).toEqual([403, '"visibility=private" is for admins.']);
      expect((await people.owner.get(`${path}?visibility=private&owner=me`)).status).toBe(200);
      expect((await people.owner.get(`${path}?dated=false&from=2020-01-01`)).status).toBe(400);
    }
  });
});
