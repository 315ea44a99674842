import { type Client, client } from "../client.ts";
import { png } from "../files/png.ts";
import { password } from "../people.ts";

export type Copy = { url: string };

/** What many writers do to one record at the same time, and what must be true afterwards. */
export type Workload = {
  name: string;
  /** Creates the record; returns a function that writes to it and returns what it has written. */
  prepare(owner: Client): Promise<(who: Client, number: number) => Promise<{ status: number; wrote: string }>>;
  /** What is stored in the end. */
  read(owner: Client): Promise<string[]>;
  /** Whether every acknowledged write is visible, or only one of them, because each replaces the last. */
  keeps: "all" | "last";
};

const api = "/api/v1";

export function workloads(): Workload[] {
  return [inAlbum(), onPost(), inThread(), inDirectory()];
}

function inAlbum(): Workload {
  let id = 0;
  let photoIDs: number[] = [];
  return {
    name: "adding photos to one album",
    keeps: "all",
    async prepare(owner) {
      const { body: file } = await owner.upload("image.png", png(2, 2));
      const makePhoto = async () => (await owner.post(`${api}/photos`, { title: "x", fileID: file.id })).body.id;
      photoIDs = [];
      while (photoIDs.length < 200) photoIDs.push(...(await Promise.all(Array.from({ length: 10 }, makePhoto))));
      ({ id } = (await owner.post(`${api}/albums`, { name: "One" })).body);
      return async (who, number) => {
        // Removed again after a while, so that there is always something to add.
        const photoID = photoIDs[number % photoIDs.length] as number;
        const isAdded = Math.floor(number / photoIDs.length) % 2 === 0;
        const { status } = isAdded
          ? await who.post(`${api}/albums/${id}/photos`, { photoID })
          : await who.delete(`${api}/albums/${id}/photos/${photoID}`);
        return { status: status === 404 ? 200 : status, wrote: "" };
      };
    },
    async read(owner) {
      await owner.put(`${api}/albums/${id}/photos`, { photoIDs: [] });
      const statuses = new Set<number>();
      for (let start = 0; start < photoIDs.length; start += 20) {
        const add = (photoID: number) => owner.post(`${api}/albums/${id}/photos`, { photoID });
        const answers = await Promise.all(photoIDs.slice(start, start + 20).map(add));
        for (const { status } of answers) statuses.add(status);
      }
      const { body } = await owner.get(`${api}/albums/${id}`);
      const found = { statuses: [...statuses], count: body.photoCount, photos: body.photos.length };
      const expected = { statuses: [200], count: photoIDs.length, photos: photoIDs.length };
      return JSON.stringify(found) === JSON.stringify(expected) ? [""] : [JSON.stringify(found)];
    },
  };
}

function onPost(): Workload {
  let id = 0;
  return {
    name: "changing one post",
    keeps: "last",
    async prepare(owner) {
      ({ id } = (await owner.post(`${api}/blog`, { title: "0", content: "x" })).body);
      return async (who, number) => {
        const { status } = await who.put(`${api}/blog/${id}`, { title: `Title ${number}` });
        return { status, wrote: `Title ${number}` };
      };
    },
    read: async (owner) => [(await owner.get(`${api}/blog/${id}`)).body.title],
  };
}

function inThread(): Workload {
  let id = 0;
  return {
    name: "commenting on one post",
    keeps: "all",
    async prepare(owner) {
      ({ id } = (await owner.post(`${api}/blog`, { title: "Talk", content: "x" })).body);
      return async (who, number) => {
        const { status } = await who.post(`${api}/comments`, { content: `Comment ${number}`, blogPostID: id });
        return { status, wrote: `Comment ${number}` };
      };
    },
    read: async (owner) =>
      (await owner.get(`${api}/comments?blogPostID=${id}`)).body.map((comment: any) => comment.content),
  };
}

function inDirectory(): Workload {
  return {
    name: "creating directories of one name in one directory",
    keeps: "all",
    async prepare(owner) {
      await owner.post(`${api}/directories`, { name: "crowded" });
      return async (who, number) => {
        // Every fourth writer uses the name of another one at the same time, and is refused.
        const name = `d${Math.floor(number / 4) * 4 + (number % 4 === 1 ? 0 : number % 4)}`;
        const { status } = await who.post(`${api}/directories`, { name, path: "/crowded" });
        return { status: status === 400 ? 201 : status, wrote: status === 201 ? name : "" };
      };
    },
    read: async (owner) => [
      "",
      ...(await owner.get(`${api}/files?path=/crowded`)).body.map((entry: any) => entry.name),
    ],
  };
}

export type Outcome = { writes: number; errors: string[]; lost: string[]; doubled: string[]; perSecond: number };

/**
 * Runs `writers` concurrent writers on the copies for this long, and compares the acknowledged writes with what is
 * stored.
 */
export async function run(workload: Workload, copies: Copy[], writers: number, milliseconds: number): Promise<Outcome> {
  const [first] = copies as [Copy];
  const username = `writer-${crypto.randomUUID()}`;
  await client(first).post("/signup", { username, password });
  const { token } = (await client(first).post("/signin", { username, password })).body;
  const clients = copies.map((copy) => client(copy, token));
  const owner = clients[0] as Client;
  const write = await workload.prepare(owner);
  const acknowledged: string[] = [];
  const errors: string[] = [];
  let number = 0;
  const started = performance.now();
  const end = started + milliseconds;
  await Promise.all(
    Array.from({ length: writers }, async (_, index) => {
      while (performance.now() < end) {
        const { status, wrote } = await write(clients[index % clients.length] as Client, ++number);
        if (status < 300) acknowledged.push(wrote);
        else errors.push(`${status}`);
      }
    }),
  );
  const perSecond = acknowledged.length / ((performance.now() - started) / 1000);
  const there = await workload.read(owner);
  const known = new Set(there);
  const lost =
    workload.keeps === "all"
      ? acknowledged.filter((one) => !known.has(one))
      : there.filter((one) => !acknowledged.includes(one));
  const doubled = there.filter((one, index) => one !== "" && there.indexOf(one) !== index);
  return { writes: acknowledged.length, errors, lost, doubled, perSecond };
}
