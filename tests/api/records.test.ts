import { beforeAll, describe, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/engines.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { kindsOf, reactionsOf, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { createTrash, emptyOldTrash } from "../../src/core/trash/store.ts";
import { engineEnv } from "../kit/engine.ts";
import type { Client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { person, signedIn } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { startServer } from "../kit/server.ts";
import { useServer } from "../kit/use-server.ts";

const scratch = useScratch();
let image: any;

const server = useServer();
const { guest } = server;
const owner = server.person("owner");
beforeAll(async () => {
  image = (await owner.upload("image.png", png(1, 1))).body;
});

const ids = (records: any[]) => records.map((record) => record.id);

describe.each([
  ["/api/v1/photos", (title: string) => ({ title, fileID: image.id })],
  ["/api/v1/blog", (title: string) => ({ title, content: "…" })],
  ["/api/v1/albums", (name: string) => ({ name })],
])("the pages of %s", (path, fields) => {
  let made: number[];

  test("an empty list is [], with a total of 0", async () => {
    const { status, body, headers } = await guest.get(path);
    expect([status, body]).toEqual([200, []]);
    expect(headers.get("x-total-count")).toBe("0");
    expect(headers.get("link")).not.toContain("next");

    made = [];
    for (let number = 1; number <= 23; number++) made.unshift((await owner.post(path, fields(`${number}`))).body.id);
  });

  test("newest first, ten per page, starting with page 1", async () => {
    const { body, headers } = await guest.get(path);
    expect(ids(body)).toEqual(made.slice(0, 10));
    expect(headers.get("x-total-count")).toBe("23");
    for (const same of ["?page=1", "?pageSize=10", "?page=1&pageSize=10", "/", "/?page=1", "?unknown=1"]) {
      expect((await guest.get(path + same)).body).toEqual(body);
    }
  });

  test("every record is on exactly one page, whatever the size of the pages", async () => {
    for (const pageSize of [1, 4, 10, 23, 1000]) {
      const seen: number[] = [];
      for (let page = 1; page <= Math.ceil(23 / pageSize); page++) {
        const { body, headers } = await guest.get(`${path}?page=${page}&pageSize=${pageSize}`);
        expect(body.length).toBeLessThanOrEqual(pageSize);
        expect(headers.get("x-total-count")).toBe("23");
        seen.push(...ids(body));
      }
      expect(seen).toEqual(made);
    }
  });

  test("a page past the end is [], however far", async () => {
    for (const query of ["?page=4", "?page=2&pageSize=23", "?page=9007199254740991&pageSize=1000"]) {
      const { status, body, headers } = await guest.get(path + query);
      expect([query, status, body]).toEqual([query, 200, []]);
      expect(headers.get("x-total-count")).toBe("23");
    }
  });

  test("the Link headers lead through all pages and back", async () => {
    const seen: number[] = [];
    let next: string | undefined = `${path}?pageSize=6`;
    let last = "";
    while (next) {
      const { body, headers } = await guest.get(next);
      seen.push(...ids(body));
      const links = linksOf(headers.get("link"));
      expect((await guest.get(links.first as string)).body[0].id).toBe(made[0]);
      expect((await guest.get(links.last as string)).body.at(-1).id).toBe(made.at(-1));
      if (last) expect((await guest.get(links.prev as string)).body.at(-1).id).toBe(seen.at(-1 - body.length));
      else expect(links).not.toHaveProperty("prev");
      last = next;
      next = links.next;
    }
    expect(seen).toEqual(made);
  });

  test("a page has at most a thousand records", async () => {
    expect((await guest.get(`${path}?pageSize=1000`)).body).toHaveLength(23);
    const { status, body } = await guest.get(`${path}?pageSize=1001`);
    expect(status).toBe(400);
    expect(body.error).toContain("1000");
  });

  test("a deleted record leaves no gap, and a changed one keeps its position", async () => {
    const [newest, second, third] = made as [number, number, number];
    await owner.put(`${path}/${third}`, fields("changed"));
    await owner.delete(`${path}/${second}`);
    const { body, headers } = await guest.get(`${path}?pageSize=2`);
    expect(ids(body)).toEqual([newest, third]);
    expect(headers.get("x-total-count")).toBe("22");
    expect(ids((await guest.get(`${path}?page=2`)).body)).toEqual(made.slice(11, 21));
  });
});

test.each(["photos", "blog", "comments", "albums", "files", "directories"])(
  "of many concurrent deletions of one of the %s, one succeeds and the others get a 404",
  async (resource) => {
    const blogPostID = (await owner.post("/api/v1/blog", { title: "Host", content: "…" })).body.id;
    const fields = { title: "Once", name: "Once", content: "…", fileID: image.id, blogPostID };
    const path = resource === "directories" ? "/api/v1/files" : `/api/v1/${resource}`;
    const made =
      resource === "files" ? await owner.upload("once.txt", "x") : await owner.post(`/api/v1/${resource}`, fields);
    const total = async () => (await guest.get(path)).headers.get("x-total-count");
    const before = Number(await total());
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner.delete(`${path}/${made.body.id}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(404)]);
    if (before > 0) expect(Number(await total())).toBe(before - 1);
  },
);

test("ids are never reused, not even after the trash is emptied", async () => {
  const dataDir = newDirectory(scratch);
  const resources = ["photos", "blog", "comments", "albums", "files", "directories"];

  /** Creates one record of each kind; returns their ids. */
  async function makeEach(who: Client, fileID: number, blogPostID: number): Promise<number[]> {
    const title = "The newest";
    const fields: Record<string, object> = {
      photos: { title, fileID },
      blog: { title, content: "…" },
      comments: { content: "…", blogPostID },
      albums: { name: title },
      directories: { name: title },
    };
    const made: number[] = [];
    for (const resource of resources) {
      const path = `/api/v1/${resource}`;
      made.push(
        (resource === "files" ? await who.upload("x.txt", "x") : await who.post(path, fields[resource])).body.id,
      );
    }
    return made;
  }

  const first = await startServer({ DATA_DIR: dataDir });
  const someone = await person(first, "someone");
  const { id: fileID } = (await someone.upload("kept.png", png(1, 1))).body;
  const { id: blogPostID } = (await someone.post("/api/v1/blog", { title: "Kept", content: "…" })).body;
  const before = await makeEach(someone, fileID, blogPostID);
  for (const [index, resource] of resources.entries()) {
    const path = `/api/v1/${resource === "directories" ? "files" : resource}/${before[index]}`;
    expect((await someone.delete(path)).status).toBe(200);
  }
  await first.close();

  // What the cleanup does after TRASH_DAYS, without the wait.
  const config = readConfig({ DATA_DIR: dataDir, ...(await engineEnv(dataDir)) });
  const db = await openDatabase(config, schemaOf(modules));
  expect((await db.all(sql`SELECT id FROM trash`)).length).toBe(resources.length);
  await emptyOldTrash(db, createTrash(kindsOf(modules), reactionsOf(modules)), -1);
  expect(await db.all(sql`SELECT id FROM trash`)).toEqual([]);
  await db.close();

  const second = await startServer({ DATA_DIR: dataDir });
  const after = await makeEach(await signedIn(second, "someone"), fileID, blogPostID);
  await second.close();
  const reused = resources.filter((_, index) => (after[index] as number) <= (before[index] as number));
  expect(reused).toEqual([]);
});

function linksOf(header: string | null): Record<string, string> {
  const links = [...(header ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target, rel]) => [rel, target]));
}
