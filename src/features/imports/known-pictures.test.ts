import { expect, test } from "bun:test";
import { downloadZip } from "client-zip";
import { bytesOf, plain } from "../../../tests/kit/files/pictures.ts";
import { until } from "../../../tests/kit/until.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const server = useServer();
const { owner, stranger } = server.people();
const api = "/api/v1";

test("pictures that are photos here already are known, wherever they lie, and the numbers add up", async () => {
  const pictures = await Promise.all(
    ["red", "green", "blue", "white"].map((colour) => bytesOf(plain(40, 30, colour).png())),
  );
  const [red, green, blue, white] = pictures as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const upload = async (name: string, bytes: Uint8Array, who = owner) =>
    (await who.upload(name, new Uint8Array(bytes), { path: "/before" })).body;
  const files: any[] = [];
  for (const [name, bytes] of Object.entries({ red, green, blue })) files.push(await upload(`${name}.png`, bytes));
  for (const { id, name } of files) await owner.post(`${api}/photos`, { title: `My ${name}`, fileID: id });
  // Somebody else has it, and it is a file, but no photo.
  const theirs = await upload("white.png", white, stranger);
  await stranger.post(`${api}/photos`, { title: "Theirs", fileID: theirs.id });

  const names = {
    "trip/1.png": red,
    "trip/2.png": green,
    "trip/3.png": blue,
    "trip/4.png": white,
    "trip/5.png": white,
  };
  const zip = await downloadZip(
    Object.entries(names).map(([name, input]) => ({ name, input: new Uint8Array(input) })),
  ).bytes();
  const { id: fileID } = (await owner.upload("trip.zip", zip, { path: "/archives" })).body;
  const run = async () => {
    const { body } = await owner.post(`${api}/imports`, { fileIDs: [fileID], photos: true, albums: true });
    const read = async () => (await owner.get(`${api}/imports/${body.id}`)).body;
    return until(read, ({ status }) => status !== "running");
  };

  const done = await run();
  expect(done.items).toEqual({ added: 3, known: 3, changed: 0, refused: 0, noted: 0 });
  expect([done.imported, done.existing, done.bytes]).toEqual([1, 4, 2 * white.length]);
  const { body: known } = await owner.get(`${api}/imports/${done.id}/items?outcome=known`);
  expect(known.map(({ name, record }: any) => [name, record])).toEqual(
    files.map(({ id }, index) => [`trip/${index + 1}.png`, { kind: "file", id }]),
  );
  const { body: stored } = await owner.get(`${api}/files?path=/trip/trip`);
  expect(stored.map(({ name }: any) => name)).toEqual(["4.png", "5.png"]);
  const [album] = (await owner.get(`${api}/albums?owner=me`)).body;
  expect([album.name, album.photoCount]).toEqual(["trip", 4]);
  const titles = (await owner.get(`${api}/photos?owner=me`)).body.map(({ title }: any) => title);
  // Of two equal pictures, the one that is read first becomes a photo.
  expect(titles.toSorted()).toEqual([expect.stringMatching(/^[45]$/), "My blue.png", "My green.png", "My red.png"]);

  expect((await run()).items).toEqual({ added: 0, known: 6, changed: 0, refused: 0, noted: 0 });
  await owner.post(`${api}/imports/${done.id}/undo`);
  await until(
    () => owner.get(`${api}/imports/${done.id}`),
    ({ body }) => body.status === "undone",
  );
  const left = (await owner.get(`${api}/photos?owner=me`)).body.map(({ title }: any) => title);
  expect(left.toSorted()).toEqual(["My blue.png", "My green.png", "My red.png"]);
});
