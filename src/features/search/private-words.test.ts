import { beforeAll, describe, expect, test } from "bun:test";
import { engineEnv } from "../../../tests/kit/engine.ts";
import type { Client } from "../../../tests/kit/client.ts";
import { person } from "../../../tests/kit/people.ts";
import { bytesOf, quadrants, secretExif, withExif } from "../../../tests/kit/files/pictures.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { readConfig } from "../../config.ts";
import { openDatabase } from "../../engines.ts";
import { continueIDs } from "../../platform/database/sequences.ts";

const id = 4217;
const place = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Reykjavík Harbour"/></rdf:RDF></x:xmpmeta>`;

const server = useServer();
const others = Object.values(server.people());
let owner: Client;
let photo: any;

beforeAll(async () => {
  const db = await openDatabase(readConfig({ DATA_DIR: server.dataDir, ...(await engineEnv(server.dataDir)) }));
  await continueIDs(db, "users", id - 1);
  await db.close();
  owner = await person(server, "photographer");
  const picture = withExif(await bytesOf(quadrants(60, 40).jpeg().withXmp(place)), secretExif());
  const file = (await owner.upload("fulmar.jpg", picture)).body;
  photo = (await owner.post("/api/v1/photos", { title: "Fulmar", fileID: file.id })).body;
});

const found = async (who: Client, q: string) => {
  const { status, body } = await who.get(`/api/v1/search?kind=photo&q=${encodeURIComponent(q)}`);
  return [status, ...body.map((result: any) => result.id)];
};

describe("the place of a photo that only its owner sees", () => {
  test("is what its owner finds it by", async () => {
    expect([owner.userID, photo.exif.place.name]).toEqual([id, "Reykjavík Harbour"]);
    for (const q of ["reykjavik", "re", "reykjav", `"reykjavik harbour"`, "fulmar reykjavik", "harbour"]) {
      expect([q, await found(owner, q)]).toEqual([q, [200, photo.id]]);
    }
  });

  test.each([
    "reykjavik",
    "reyk",
    `"reykjavik harbour"`,
    "fulmar harbour",
    String(id),
    "42",
    "421",
    `"${id}"`,
    `${id}_`,
    `_${id}`,
    `_${id}_`,
    `${id}_re`,
    `${id}_reykjavik`,
    `_${id}_reykjavik`,
    `${id} reykjavik`,
    `"${id} reykjavik"`,
    `fulmar ${id}`,
    "own_words:reyk",
    `owner_id:${id}`,
    "s0",
    "l0",
  ])("is not found by others, and its owner's id is no word: %s", async (q) => {
    for (const who of others) expect(await found(who, q)).toEqual([200]);
  });

  test("is found by everybody once it is shown, and by its owner alone when it is hidden again", async () => {
    const show = (showLocation: boolean) => owner.put(`/api/v1/photos/${photo.id}`, { showLocation });
    await show(true);
    for (const who of [...others, owner]) expect(await found(who, "reykjavik")).toEqual([200, photo.id]);
    await show(false);
    for (const who of others) expect(await found(who, "reykjavik")).toEqual([200]);
    expect(await found(owner, "reykjavik")).toEqual([200, photo.id]);
  });

  test("is a word of its owner only among their own records", async () => {
    for (const q of [String(id), `${id}_reykjavik`, "42"]) expect([q, await found(owner, q)]).toEqual([q, [200]]);
  });
});
