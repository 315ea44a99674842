import { expect, test } from "bun:test";
import { bytesOf, quadrants, showPicture } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const api = "/api/v1";
const photos = `${api}/photos`;
const rightHalf = { x: 0.5, y: 0, width: 0.5, height: 1 };

const server = useServer();
const { guest } = server;
const owner = server.person("owner");

const edit = (id: number, edits: unknown) => owner.put(`${photos}/${id}`, { edits });

test("the file of a cropped photo is private unless another photo shows it, and as its owner wants afterwards", async () => {
  const bytes = await bytesOf(quadrants(96, 64).png());
  const one = await showPicture(owner, bytes);
  const { body: two } = await owner.post(photos, { title: "Two", fileID: one.fileID });
  expect((await edit(one.id, { turn: 0, crop: rightHalf })).body.file.visibility).toBe("public");
  // The photo itself does not lead to it.
  expect((await guest.get(`${photos}/${one.id}`)).body.file).toBeNull();
  expect((await edit(two.id, { turn: 0, crop: rightHalf })).body.file.visibility).toBe("private");
  // The other one is still cropped.
  expect((await edit(two.id, null)).body.file.visibility).toBe("private");
  await owner.put(`${photos}/${two.id}`, { visibility: "private" });
  expect((await owner.put(`${photos}/${two.id}`, { visibility: "public" })).body.file.visibility).toBe("private");
  await owner.put(`${api}/files/${one.fileID}`, { visibility: "private" });
  expect((await edit(one.id, null)).body.file.visibility).toBe("private");
});

test("what is sent back unchanged changes nothing, and another file ends the edits", async () => {
  const { id } = await showPicture(owner, quadrants(200, 100).png());
  const { body: edited } = await edit(id, { turn: 90, crop: { x: 0.25, y: 0, width: 0.5, height: 1 } });
  expect(edited.edits).toEqual({ turn: 90, flip: false, crop: { x: 0.25, y: 0, width: 0.5, height: 1 } });
  const { body: same } = await owner.put(`${photos}/${id}`, edited);
  expect(same).toEqual({ ...edited, updatedAt: same.updatedAt });
  expect((await edit(id, null)).body).toMatchObject({ width: 200, height: 100 });
  await edit(id, { turn: 90 });
  const file = (await owner.upload("other.png", await bytesOf(quadrants(64, 32).png()))).body;
  expect((await owner.put(`${photos}/${id}`, { fileID: file.id })).body).toMatchObject({
    edits: null,
    width: 64,
    height: 32,
  });
});
