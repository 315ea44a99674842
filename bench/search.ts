import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newPostSchema } from "../src/content/blog/post.ts";
import { insertPost } from "../src/content/blog/write.ts";
import { toDirectory, root } from "../src/content/files/rows.ts";
import { insertFile } from "../src/content/files/store.ts";
import { schemaOf } from "../src/module.ts";
import { modules } from "../src/modules.ts";
import { insertPhoto } from "../src/content/photos/store.ts";
import type { Queries } from "../src/platform/database/database.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import { hashPassword } from "../src/platform/auth/passwords.ts";
import { addUser } from "../src/core/users/store.ts";
import { startVitrine } from "./servers/vitrine.ts";
import { indexAll } from "./fill.ts";
import { ask, uncached } from "./request.ts";
import { type Plan, progress } from "./rounds.ts";

const photos = 40_000;
const posts = 20_000;
const depth = 60;
const perLevel = Math.ceil(100_000 / depth);
const vocabulary = 10_007;
const atOnce = 500;
const user = { username: "bench", password: "correct horse battery" };

/** How long a search among 100,000 records takes, and operations in a tree of 100,000 entries. */
export async function search(directory: string, plan: Plan): Promise<void> {
  const dataDir = join(directory, "data");
  progress(`adding ${photos} photos with their files, ${posts} posts, and a tree of ${depth} levels`);
  await fill(dataDir);
  const { url } = await startVitrine(dataDir);
  const { token } = await ask<{ token: string }>(`${url}/signin`, { method: "POST", json: user });
  await ask(`${url}/api/v1/search?q=once`);
  const times = plan.rounds * 5;

  const questions: [string, string][] = [
    ["a rare word", `q=${wordAt(9000)}`],
    ["a word of one record in three", "q=w0"],
    ["two letters", "q=w1"],
    ["two words", "q=w1 w12"],
    ["a phrase", `q="${sentence(5, 2)}"`],
    ["a common word, posts only", "q=w0&kind=post"],
  ];
  console.log(`\nMilliseconds of one search over HTTP, median and slowest of ${times}:\n`);
  for (const [name, query] of questions) {
    const run = () => read<unknown[]>(`${url}/api/v1/search?${query.replaceAll(" ", "%20")}`);
    if ((await run()).length === 0) throw new Error(`${query} finds nothing`);
    console.log(await time(name, times, run));
  }

  const path = Array.from({ length: depth }, (_, level) => `level-${level}`);
  const top = await ask<{ id: number }[]>(`${url}/api/v1/files`);
  const deepest = `${url}/api/v1/files/dir/${path.join("/")}`;
  const moveTop = (round: number) => {
    const json = { path: `/moved-${round % 2}` };
    return ask(`${url}/api/v1/files/${top.at(0)?.id}/move`, { method: "POST", token, json });
  };
  console.log(`\nMilliseconds in a tree of ${perLevel * depth} files, ${perLevel} in each of ${depth} levels:\n`);
  console.log(await time("read a file at the bottom", times, (n) => read(`${deepest}/file-${n}.jpg`)));
  console.log(await time(`list ${perLevel} files at the bottom`, times, () => read(deepest)));
  console.log(await time("move the whole tree", Math.min(times, 20), moveTop));
  console.log(await time("report the storage", Math.min(times, 20), () => ask(`${url}/api/v1/storage`, { token })));
  console.log("");
}

async function fill(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const db = await openSqlite(join(dataDir, "vitrine.db"), { schema: schemaOf(modules) });
  const owner = await addUser(db, user.username, { hash: await hashPassword(user.password), warning: null }, "author");
  const ownerID = owner.id;
  const parent = await db.transaction((tx) =>
    insertFile(tx, { directory: root, name: "walks", ownerID, content: null }),
  );
  await inSteps(photos, async (tx, number) => {
    const content = { sha256: hash(number), size: 1000, contentType: "application/octet-stream" };
    const { id } = await insertFile(tx, {
      directory: toDirectory(parent),
      name: `walk-${number}.jpg`,
      ownerID,
      content,
    });
    const words = { title: sentence(number, 3), description: sentence(number * 7, 20) };
    await insertPhoto(tx, owner, { ...words, fileID: id, width: 4000, height: 3000, showLocation: false });
  });
  await inSteps(posts, async (tx, number) => {
    await insertPost(
      tx,
      owner,
      newPostSchema.parse({ title: sentence(number, 4), content: sentence(number * 13, 200) }),
      null,
    );
  });
  let directory = root;
  for (let level = 0; level < depth; level++) {
    const place = { directory, name: `level-${level}`, ownerID, content: null };
    directory = toDirectory(await db.transaction((tx) => insertFile(tx, place)));
    await inSteps(perLevel, async (tx, number) => {
      const content = { sha256: hash(level * perLevel + number), size: 1000, contentType: "text/plain" };
      await insertFile(tx, { directory, name: `file-${number}.jpg`, ownerID, content });
    });
  }
  await indexAll(db);
  await db.close();

  async function inSteps(count: number, insert: (tx: Queries, number: number) => Promise<void>): Promise<void> {
    for (let start = 0; start < count; start += atOnce) {
      await db.transaction(async (tx) => {
        for (let number = start; number < Math.min(start + atOnce, count); number++) await insert(tx, number);
      });
    }
  }
}

const read = <Body>(url: string) => ask<Body>(url, { headers: uncached });

const hash = (number: number) => number.toString(16).padStart(64, "0");

/** As in any language, a few words are very frequent, and most are rare. */
function sentence(seed: number, length: number): string {
  return Array.from({ length }, (_, index) => {
    return wordAt((seed * 7919 + index * 104_729) % vocabulary);
  }).join(" ");
}

const wordAt = (number: number) => `w${Math.floor(20_000 * (number / vocabulary) ** 6)}`;

async function time(name: string, count: number, work: (round: number) => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let round = 0; round < count; round++) {
    const started = performance.now();
    await work(round);
    taken.push(performance.now() - started);
  }
  taken.sort((one, other) => one - other);
  const [median = 0, slowest = 0] = [taken[Math.floor(count / 2)], taken.at(-1)];
  return `${name.padEnd(32)}${median.toFixed(1).padStart(8)}${slowest.toFixed(1).padStart(8)}`;
}
