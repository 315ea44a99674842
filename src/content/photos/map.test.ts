// Runs on other engines only with TEST_LONG: the counts of areas are written by the same statements, and tests/guards/derived.test.ts runs there.
import { beforeAll, describe, expect, test } from "bun:test";
import { visitPages } from "../../../tests/kit/cursors.ts";
import { png } from "../../../tests/kit/files/png.ts";
import { bytesOf, quadrants, secretExif, withExif } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { testLong } from "../../../tests/kit/long.ts";

const photos = "/api/v1/photos";
const cities: Record<string, [latitude: number, longitude: number]> = {
  lisbon: [38.7071, -9.1355],
  porto: [41.1496, -8.611],
  fiji: [-17.7134, 178.065],
  tonga: [-21.1789, -175.1982],
  zero: [0.2, 0.3],
  northPole: [90, 0],
  southPole: [-90, 180],
};

const server = useServer();
const people = server.people();
let fileID: number;

beforeAll(async () => {
  fileID = (await people.owner.upload("a.png", png(4, 3))).body.id;
  for (const [name, [latitude, longitude]] of Object.entries(cities))
    await add(name, { place: { latitude, longitude, name }, showLocation: true, tags: latitude > 1 ? ["North"] : [] });
  await add("hidden", { place: { latitude: 48.2, longitude: 16.4 } });
  await add("private", { place: { latitude: 48.2, longitude: 16.4 }, showLocation: true, visibility: "private" });
});

async function add(title: string, fields: object): Promise<number> {
  const { status, body } = await people.owner.post(photos, { title, fileID, width: 4, height: 3, ...fields });
  expect([title, status]).toEqual([title, 201]);
  return body.id;
}

async function find(query: string, who = people.guest): Promise<string[]> {
  const found = await visitPages(who, `${photos}?${query}`, 2);
  return found
    .flat()
    .map(({ title }) => title)
    .toSorted();
}

describe("the photos of an area", () => {
  test.each([
    ["-10,38,-8,39", ["lisbon"]],
    ["-10,38,-8,42", ["lisbon", "porto"]],
    ["-180,-90,180,90", Object.keys(cities).toSorted()],
    // Across the date line; the same the other way round is the rest of the world.
    ["170,-30,-170,0", ["fiji", "tonga"]],
    ["-170,-30,170,1", ["zero"]],
    ["-1,85.2,1,90", ["northPole"]],
    ["-180,-90,180,-89", ["southPole"]],
    ["0.3,0.2,0.3,0.2", ["zero"]],
    ["16,48,17,49", []],
    ["-9.1355,38.7071,-9.1355,38.7071", ["lisbon"]],
  ])("%s", async (box, names) => expect(await find(`bbox=${box}`)).toEqual(names));

  test("can be filtered further, sorted and counted by month", async () => {
    expect(await find("bbox=-180,-90,180,90&tag=north&kind=image")).toEqual(["lisbon", "northPole", "porto"]);
    expect(await find("bbox=-180,-90,180,90&dated=true")).toEqual([]);
    const { body } = await people.guest.get(`${photos}?bbox=-10,38,-8,42&sort=createdAt&order=asc`);
    expect(body.map(({ title }: any) => title)).toEqual(["lisbon", "porto"]);
    const id = body[0].id;
    await people.owner.put(`${photos}/${id}`, { takenAt: "2024-05-01T10:00:00Z" });
    expect((await people.guest.get(`${photos}/timeline?bbox=-10,38,-8,42`)).body).toEqual([
      { month: "2024-05", count: 1 },
    ]);
  });

  test.each([
    "",
    "1,2,3",
    "1,2,3,4,5",
    "a,b,c,d",
    "0,1,0,-1",
    "0,-91,0,0",
    "-181,0,0,0",
    "0,0,1e2,1",
    "NaN,0,0,0",
    " ,,,",
  ])('cannot be "%s"', async (box) => {
    for (const path of [photos, `${photos}/map`, `${photos}/timeline`]) {
      const { status, body } = await people.guest.get(`${path}?bbox=${encodeURIComponent(box)}`);
      expect([path, status, body.error?.field ?? body.field]).toEqual([path, 400, "bbox"]);
    }
  });
});

const readMap = async (query: string, who = people.guest) => (await who.get(`${photos}/map?${query}`)).body as any[];
const sum = (areas: any[]) => areas.reduce((all, { count }) => all + count, 0);

describe("the map", () => {
  test("counts the photos of each area, which the list of its photos has", async () => {
    for (const zoom of [0, 2, 4, 6, 9, 13, 20]) {
      const areas = await readMap(`zoom=${zoom}`);
      expect([zoom, sum(areas)]).toEqual([zoom, Object.keys(cities).length]);
      for (const { bbox, count, photo } of areas) {
        const names = await find(`bbox=${bbox}`);
        expect([bbox, names.length]).toEqual([bbox, count]);
        expect(names).toContain(photo.title);
      }
    }
    expect(await readMap("zoom=1&bbox=-12,35,-5,42")).toMatchObject([{ count: 2, photo: { place: {} } }]);
    expect((await readMap("zoom=9&bbox=-12,35,-5,42")).map(({ count }) => count)).toEqual([1, 1]);
    expect(sum(await readMap("zoom=5&bbox=170,-30,-170,0"))).toBe(2);
    for (const zoom of ["-1", "21", "x", "1.5"])
      expect((await people.guest.get(`${photos}/map?zoom=${zoom}`)).status).toBe(400);
    expect((await people.guest.get(`${photos}/map?owner=me`)).status).toBe(401);
  });

  test("shows a hidden place to nobody but its owner, and forgets what becomes hidden", async () => {
    const box = "bbox=16,48,17,49";
    for (const who of [people.guest, people.stranger, people.admin]) {
      expect(await readMap(box, who)).toEqual([]);
      expect(await find(box, who)).toEqual([]);
    }
    expect(await find(`${box}&visibility=all`, people.admin)).toEqual([]);
    expect(sum(await readMap(`${box}&owner=me&zoom=8`, people.owner))).toBe(2);
    expect(await find(`${box}&owner=me`, people.owner)).toEqual(["hidden", "private"]);
    expect(await find(`${box}&owner=me`, people.stranger)).toEqual([]);

    const place = { latitude: 52.52, longitude: 13.4 };
    const id = await add("berlin", { place, showLocation: true });
    const berlin = async () => [sum(await readMap("zoom=7&bbox=13,52,14,53")), await find("bbox=13,52,14,53")];
    expect(await berlin()).toEqual([1, ["berlin"]]);
    for (const [hidden, shown] of [
      [{ showLocation: false }, { showLocation: true }],
      [{ visibility: "private" }, { visibility: "public" }],
      [{ place: { latitude: 10, longitude: 10 } }, { place }],
    ]) {
      await people.owner.put(`${photos}/${id}`, hidden);
      expect([hidden, await berlin()]).toEqual([hidden, [0, []]]);
      await people.owner.put(`${photos}/${id}`, shown);
      expect([hidden, await berlin()]).toEqual([hidden, [1, ["berlin"]]]);
    }
    await people.owner.delete(`${photos}/${id}`);
    expect(await berlin()).toEqual([0, []]);
  });

  test("has the place in the file, as long as the photo shows it", async () => {
    const { owner, guest } = people;
    const picture = withExif(await bytesOf(quadrants(96, 64).jpeg()), secretExif());
    const file = (await owner.upload("secret.jpg", picture)).body.id;
    const { body } = await owner.post(photos, { title: "read", fileID: file });
    const { latitude, longitude } = body.place;
    const box = `bbox=${longitude - 0.1},${latitude - 0.1},${longitude + 0.1},${latitude + 0.1}`;
    expect([await find(box), await find(`${box}&owner=me`, owner)]).toEqual([[], ["read"]]);
    await owner.put(`${photos}/${body.id}`, { showLocation: true });
    expect(await find(box)).toEqual(["read"]);
    await owner.delete(`/api/v1/files/${file}`);
    expect((await guest.get(`${photos}/${body.id}`)).body.place).toBeNull();
    expect([await find(box), await readMap(`${box}&zoom=9`)]).toEqual([[], []]);
  });
});

testLong(
  "an area with too many photos to look at each has all of them, also across the date line and around the world",
  async () => {
    const { owner } = people;
    const count = async (box: string) => (await visitPages(owner, `${photos}?owner=me&bbox=${box}`, 500)).flat().length;
    const world = await count("-180,-90,180,90");
    const longitudes = [...Array.from({ length: 1000 }, (_, index) => 172 + index / 200), -175, 165];
    const many = longitudes.map((longitude, index) => ({
      title: `sea ${index}`,
      fileID,
      width: 4,
      height: 3,
      visibility: "private",
      place: { latitude: -40, longitude },
    }));
    for (const some of [many.slice(0, 500), many.slice(500)])
      expect((await owner.post(`${photos}/many`, { photos: some })).body.created).toBe(some.length);
    for (const [box, expected] of [
      ["-180,-90,180,90", world + 1002],
      ["170,-60,-170,-30", 1001],
      ["-170,-60,170,-30", 1],
      ["172,-60,180,-30", 1000],
    ] as const) {
      expect([box, await count(box)]).toEqual([box, expected]);
    }
    // Whole areas are counted, which here are as wide as the box.
    expect(sum(await readMap("zoom=0&owner=me", owner))).toBe(world + 1002);
    expect(sum(await readMap("zoom=6&owner=me&bbox=170,-60,-170,-30", owner))).toBe(1001);
    expect(await find("bbox=170,-60,-170,-30")).toEqual([]);
  },
);
