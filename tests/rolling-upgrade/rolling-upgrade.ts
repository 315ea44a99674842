// `npm run test:upgrade`: the package of the previous release is replaced by that of this one under load, and comes back.
import { SQL } from "bun";
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { engineEnv } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { serve } from "../kit/spawn.ts";
import { type Copy, createCopies } from "./copies.ts";
import { startLoad } from "./load.ts";
import { findPrevious, makePackage, type Package } from "./package.ts";

const copyCount = 3;
/** A request that is late because the machine is busy is no failure of the upgrade. */
const patience = { DATABASE_TIMEOUT_MS: "60000" };
const seconds = Number(process.env.UPGRADE_SECONDS ?? 4);
const scratch = useScratch();

let [older, newer] = [] as unknown as [Package, Package];
beforeAll(async () => {
  older = await makePackage(join(scratch, "older"), await findPrevious());
  const [major = 0, minor = 0] = older.version.split(".").map(Number);
  newer = await makePackage(join(scratch, "newer"), null, `${major}.${minor + 1}.0`);
  console.log(`${older.version} is ${older.commit}, ${newer.version} is ${newer.commit}`);
});

test("copies of the previous release are replaced one at a time, and come back, without a failed request", async () => {
  const env = await engineEnv(scratch);
  const copies = createCopies();
  const start = async ({ main }: Package) => {
    const copy = await serve({ ...env, ...patience, DATA_DIR: newDirectory(scratch) }, main);
    copies.add(copy);
    return copy;
  };
  const startAll = async (from: Package) => {
    const started: Copy[] = [];
    for (let number = 0; number < copyCount; number++) started.push(await start(from));
    return started;
  };
  /** A copy of the other release starts beside each, and then it stops. */
  const replace = async (present: Copy[], by: Package) => {
    const started: Copy[] = [];
    for (const copy of present) {
      started.push(await start(by));
      await copies.remove(copy);
      await Bun.sleep(seconds * 1000);
      console.log(`one more of ${by.version}: ${JSON.stringify(load.counts)}, ${load.failures.length} failures`);
    }
    return started;
  };

  const first = await startAll(older);
  const load = await startLoad(copies, await signIn(first[0] as Copy));
  await Bun.sleep(seconds * 1000);
  const upgraded = await replace(first, newer);
  await replace(upgraded, older);
  const { counts, failures, titles } = await load.stop();
  console.log(JSON.stringify(counts));
  expect(failures).toEqual([]);
  for (const [kind, count] of Object.entries(counts)) expect([kind, count > 0]).toEqual([kind, true]);
  await copies.removeAll();
  const database = new SQL(env.DATABASE_URL ?? "", { max: 1 });
  const stored = await database`SELECT title FROM posts`;
  await database.close();
  expect(new Set(stored.map((row: { title: string }) => row.title))).toEqual(titles);
});

async function signIn(copy: Copy): Promise<string> {
  await client(copy).post("/signup", { username: "writer", password });
  return (await client(copy).post("/signin", { username: "writer", password })).body.token;
}
