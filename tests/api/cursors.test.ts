// Runs on other engines only with TEST_LONG: the statements of lists are compared on them by another test.
import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { orderKey } from "../../src/content/files/names.ts";
import { joined, sql } from "../../src/platform/database/sql.ts";
import type { Answer } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { isLong } from "../kit/long.ts";
import { admin } from "../kit/people.ts";
import { withDatabase } from "../kit/server.ts";
import { visitPages } from "../kit/cursors.ts";
import { metricsToken, readDatabaseCost } from "../kit/database-cost.ts";
import { useServer } from "../kit/use-server.ts";

const api = "/api/v1";
const server = useServer({ METRICS_TOKEN: metricsToken });
const { guest } = server;
const owner = server.person("owner");
const other = server.person("other");
let file: any;
let post: any;

beforeAll(async () => {
  file = (await owner.upload("image.png", png(4, 4), { path: "/few" })).body;
  post = (await owner.post(`${api}/blog`, { title: "Talk", content: "x" })).body;
  for (let number = 0; number < 23; number++) {
    const who = number % 3 === 0 ? other : owner;
    await who.post(`${api}/photos`, { title: `${number}`, fileID: file.id });
    await who.post(`${api}/blog`, { title: `${number}`, content: "x".repeat(number % 5 === 0 ? 200_000 : 10) });
    await who.post(`${api}/albums`, { name: `${number}` });
    await who.post(`${api}/comments`, { content: `Comment ${number}`, blogPostID: post.id });
    await owner.post(`${api}/directories`, { name: `d${number}`, path: "/few" });
    await owner.request("PUT", `${api}/files/${file.id}/content`, { body: png(number + 1, 3) });
    const { body: deleted } = await owner.post(`${api}/albums`, { name: "deleted" });
    await owner.delete(`${api}/albums/${deleted.id}`);
  }
});

const idsOf = (records: any[]): number[] => records.map(({ id }) => id);

/** Each list, and the URL of all of it without a cursor. */
const lists: [name: string, path: () => string, all: () => string][] = [
  ["photos", () => `${api}/photos`, () => `${api}/photos?pageSize=1000`],
  ["posts", () => `${api}/blog`, () => `${api}/blog?pageSize=1000`],
  ["albums", () => `${api}/albums`, () => `${api}/albums?pageSize=1000`],
  ["comments", () => `${api}/comments?blogPostID=${post.id}`, () => `${api}/comments?blogPostID=${post.id}`],
  ["the results of a search", () => `${api}/search?q=comment`, () => `${api}/search?q=comment&limit=100`],
  ["a directory", () => `${api}/files?path=/few`, () => `${api}/files?path=/few`],
  ["a directory by its path", () => `${api}/files/dir/few`, () => `${api}/files/dir/few`],
  ["versions", () => `${api}/files/${file.id}/versions`, () => `${api}/files/${file.id}/versions`],
  ["the trash", () => `${api}/trash`, () => `${api}/trash`],
];

describe("a list that is read by cursor", () => {
  test.each(lists)("%s: has every record once, in the same order as without a cursor", async (_name, path, all) => {
    const { body: expected } = await owner.get(all());
    expect(expected.length).toBeGreaterThan(8);
    for (const pageSize of [1, 7, expected.length - 1, expected.length, expected.length + 1, 1000]) {
      const pages = await visitPages(owner, path(), pageSize);
      expect(pages.flat()).toEqual(expected);
      expect(pages.length).toBe(Math.ceil(expected.length / pageSize));
    }
  });

  test.each(["photos", "blog", "albums"])("%s: can be read oldest first, and of one owner", async (name) => {
    const { body: all } = await owner.get(`${api}/${name}?pageSize=1000`);
    const oldestFirst = await visitPages(owner, `${api}/${name}?order=asc&sort=createdAt`, 7);
    expect(oldestFirst.flat()).toEqual(all.toReversed());
    const own = all.filter(({ ownerID }: any) => ownerID === other.userID);
    expect(own).toHaveLength(8);
    expect((await visitPages(guest, `${api}/${name}?owner=${other.userID}`, 3)).flat()).toEqual(own);
    const ascending = await visitPages(guest, `${api}/${name}?owner=${other.userID}&order=asc`, 3);
    expect(ascending.flat()).toEqual(own.toReversed());
    expect((await guest.get(`${api}/${name}?owner=99999`)).body).toEqual([]);
    const { headers } = await guest.get(`${api}/${name}?cursor=`);
    expect(headers.get("x-total-count")).toBeNull();
    expect((await guest.get(`${api}/${name}?order=asc`)).body).toEqual(all.toReversed().slice(0, 10));
  });

  test.each(lists)("%s: refuses page numbers together with a cursor, and a wrong page size", async (_name, path) => {
    const at = (query: string) => owner.get(`${path()}${path().includes("?") ? "&" : "?"}${query}`);
    const both = await at("cursor=&page=1");
    expect([both.status, both.body.field]).toEqual([400, "page"]);
    for (const pageSize of ["0", "1001", "x"])
      expect((await at(`cursor=&pageSize=${pageSize}`)).body).toMatchObject({ code: "invalid", field: "pageSize" });
  });

  test("refuses page numbers together with an order or a filter, which have no total", async () => {
    for (const query of ["order=asc", "sort=createdAt", "owner=1"]) {
      const { status, body } = await guest.get(`${api}/photos?page=2&${query}`);
      expect([status, body.field]).toEqual([400, "page"]);
    }
    for (const [query, field] of [
      ["sort=size", "sort"],
      ["order=up", "order"],
      ["owner=me!", "owner"],
    ] as const) {
      const { status, body } = await guest.get(`${api}/photos?${query}`);
      expect([status, body.field]).toEqual([400, field]);
    }
  });

  test("the photos of an album: has those that the viewer sees, in album order", async () => {
    const path = `${api}/albums/${(await owner.post(`${api}/albums`, { name: "Mixed" })).body.id}`;
    const photoIDs = idsOf((await owner.get(`${api}/photos?pageSize=1000`)).body);
    for (const who of [owner, other, owner, other]) {
      const hidden = { title: "Hidden", fileID: file.id, visibility: "private" };
      photoIDs.push((await who.post(`${api}/photos`, hidden)).body.id);
    }
    const chief = await admin(server);
    await chief.put(`${path}/photos`, { photoIDs: photoIDs.toSorted((one, other) => (one % 5) - (other % 5)) });
    const seen: number[] = [];
    for (const who of [guest, other, owner, chief]) {
      const { photos } = (await who.get(path)).body;
      for (const pageSize of [1, 7, photos.length, 1000]) {
        const pages = await visitPages(who, `${path}/photos`, pageSize);
        expect(pages.flat()).toEqual(photos);
        expect(pages).toHaveLength(Math.ceil(photos.length / pageSize));
      }
      seen.push(photos.length);
    }
    expect(seen).toEqual([0, 2, 2, 4].map((more) => photoIDs.length - 4 + more));
    expect((await guest.get(`${path}/photos`)).body).toHaveLength(10);
    expect((await guest.get(`${api}/albums/99999/photos`)).status).toBe(404);
  });

  test("a path that leads to a file returns the file, with or without a cursor", async () => {
    const { body } = await owner.get(`${api}/files/dir/few/image.png`);
    expect((await owner.get(`${api}/files/dir/few/image.png?cursor=`)).body).toEqual(body);
    expect((await owner.get(`${api}/files?path=/few/image.png&cursor=`)).status).toBe(404);
  });
});

describe("while a list is read by cursor", () => {
  test.each(["photos", "albums", "directory"])(
    "%s: records are added and deleted, and the others appear once",
    async (name) => {
      const make = async (title: string): Promise<number> => {
        if (name === "directory")
          return (await owner.post(`${api}/directories`, { name: title, path: "/busy" })).body.id;
        const body = name === "photos" ? { title, fileID: file.id } : { name: title };
        return (await owner.post(`${api}/${name}`, body)).body.id;
      };
      const remove = (id: number) => owner.delete(`${api}/${name === "directory" ? "files" : name}/${id}`);
      const made: number[] = [];
      for (let number = 0; number < 40; number++) made.push(await make(`entry ${(number * 7) % 40}`));
      const removed = new Set<number>();
      const seen: number[] = [];
      let number = 100;
      const path = name === "directory" ? `${api}/files?path=/busy` : `${api}/${name}`;
      await visitPages(owner, path, 3, async (page) => {
        seen.push(...idsOf(page));
        await make(`entry ${number++}`);
        await make(`a ${number++}`);
        // One that was returned, even the last one of the page, and one that was not.
        for (const id of [page.at(-1)?.id, made.find((one) => !seen.includes(one) && !removed.has(one))]) {
          if (made.includes(id) && removed.size < 20 && (await remove(id)).status === 200) removed.add(id);
        }
      });
      const stayed = made.filter((id) => !removed.has(id));
      expect(removed.size).toBeGreaterThan(5);
      expect(stayed.map((id) => seen.filter((one) => one === id).length)).toEqual(stayed.map(() => 1));
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});

describe("a directory of 3,000 entries", () => {
  const entries = 3000;
  beforeAll(async () => {
    await owner.post(`${api}/directories`, { name: "large" });
    await withDatabase(server, (db) =>
      db.transaction(async (tx) => {
        const parent = await tx.get<{ id: number; owner_id: number }>(
          sql`SELECT id, owner_id FROM files WHERE name = 'large'`,
        );
        for (let start = 0; start < entries; start += 500) {
          const rows = Array.from({ length: 500 }, (_, index) => {
            const name = `file ${((start + index) * 7) % entries}.txt`;
            return sql`(${parent!.id}, ${parent!.owner_id}, 1, 1, 1, ${"ab".repeat(32)}, 'text/plain', ${name}, ${name}, ${orderKey(name, false)})`;
          });
          await tx.run(sql`
            INSERT INTO files (parent_id, owner_id, size, created_at, updated_at, sha256, content_type, name, name_key, order_key)
            VALUES ${joined(rows)}`);
        }
      }),
    );
  });

  test("is read from cursor to cursor, in natural order", async () => {
    const pages = await visitPages(guest, `${api}/files/dir/large`, 250);
    expect(pages).toHaveLength(12);
    const names = pages.flat().map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: entries }, (_, number) => `file ${number}.txt`));
    expect(pages.flat().every(({ path }) => path === "/large")).toBe(true);
  });

  test("a deep page costs as many statements as the first one", async () => {
    // Background work may add to what a page costs: the least of several attempts counts.
    // Each asks for another limit, so that no page comes from memory.
    const costs = Array.from({ length: 12 }, () => Infinity);
    for (let limit = 250; limit < 270 && costs.some((cost) => cost > 3); limit++) {
      let page = 0;
      let before = await countStatements();
      await visitPages(guest, `${api}/files?path=/large`, limit, async () => {
        const after = await countStatements();
        costs[page] = Math.min(costs[page] ?? 0, after - before);
        page++;
        before = await countStatements();
      });
      expect(page).toBe(12);
    }
    // The path, the keys and the records.
    expect(costs).toEqual(Array.from({ length: 12 }, () => 3));
  });
});

describe("a cursor", () => {
  const cursorOf = ({ headers }: Answer) =>
    /cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
  const refusal = (answer: Answer) => [answer.status, answer.body.code, answer.body.field];
  const refused = [400, "invalid", "cursor"];

  test("is refused in another list, in another order, with another filter and in another directory", async () => {
    const photos = cursorOf(await guest.get(`${api}/photos?cursor=&pageSize=2`));
    expect((await guest.get(`${api}/photos?cursor=${photos}&pageSize=5`)).status).toBe(200);
    expect((await guest.get(`${api}/photos?cursor=${photos}&order=desc&sort=createdAt`)).status).toBe(200);
    for (const path of ["blog?", "albums?", "photos?order=asc&", `photos?owner=${owner.userID}&`, "files?path=/few&"])
      expect(refusal(await guest.get(`${api}/${path}cursor=${photos}`))).toEqual(refused);
    const few = cursorOf(await guest.get(`${api}/files?path=/few&cursor=&pageSize=2`));
    expect((await guest.get(`${api}/files?path=/few&cursor=${few}`)).status).toBe(200);
    expect(refusal(await guest.get(`${api}/files?path=/&cursor=${few}`))).toEqual(refused);
  });

  test("is refused if a part of it is missing or changed", async () => {
    for (const path of [`${api}/photos?`, `${api}/files?path=/few&`]) {
      const text = cursorOf(await guest.get(`${path}cursor=&pageSize=2`));
      for (let length = 1; length < text.length; length++)
        expect(refusal(await guest.get(`${path}cursor=${text.slice(0, length)}`))).toEqual(refused);
      for (const changed of [`${text}A`, ` ${text}`, `${text}=`, `${text}%00`, text.replace(/^./, "!"), "%F0%9F%90"])
        expect(refusal(await guest.get(`${path}cursor=${changed}`))).toEqual(refused);
    }
  });

  test("is refused if it has a text that the database cannot store", async () => {
    const text = cursorOf(await guest.get(`${api}/files?path=/few&cursor=&pageSize=2`));
    const [hash, id] = JSON.parse(Buffer.from(text, "base64url").toString());
    for (const key of ["\0", "1file\0", "\ud800", 7, null, ["x"]]) {
      const forged = Buffer.from(JSON.stringify([hash, id, key])).toString("base64url");
      expect(refusal(await guest.get(`${api}/files?path=/few&cursor=${forged}`))).toEqual(refused);
    }
  });

  test("of any content is refused or starts a page, and never fails", async () => {
    const paths = [`${api}/photos?`, `${api}/files?path=/few&`, `${api}/comments?blogPostID=${post.id}&`];
    const hashes = await Promise.all(
      paths.map(async (path) => {
        const text = cursorOf(await guest.get(`${path}cursor=&pageSize=2`));
        return JSON.parse(Buffer.from(text, "base64url").toString())[0] as string;
      }),
    );
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 2 ** 53, 1e300, 2 ** 63));
    const key = fc.oneof(
      number,
      fc.string({ unit: "binary" }),
      fc.constantFrom(null, "\0", "\ud800", "x".repeat(3000)),
    );
    const position = fc.tuple(fc.oneof(number, fc.nat()), fc.oneof(key, fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.oneof(position, fc.jsonValue()),
        fc.string({ unit: "binary" }),
        async (which, content, raw) => {
          const inside = Array.isArray(content) ? [hashes[which], ...content] : content;
          for (const text of [
            Buffer.from(JSON.stringify(inside)).toString("base64url"),
            encodeURIComponent(raw.toWellFormed()),
          ]) {
            const { status, body } = await guest.get(`${paths[which]}cursor=${text}`);
            if (status === 200) expect(body).toBeArray();
            else expect([status, body.field]).toEqual([400, "cursor"]);
          }
        },
      ),
      { numRuns: isLong ? 300 : 60 },
    );
  });
});

async function countStatements(): Promise<number> {
  return (await readDatabaseCost(server.url)).statements;
}
