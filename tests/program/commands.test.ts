import { beforeAll, expect, spyOn, test } from "bun:test";
import { findCommand, parseCommand } from "../../src/commands/command-line.ts";
import { commands } from "../../src/commands/commands.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { migrateEngine } from "../../src/commands/migrate-engine.ts";
import { schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { useScratch } from "../kit/scratch.ts";
import { serverConfig, withDatabase } from "../kit/server.ts";
import { createSite, type Site } from "../sql/lists.ts";

/*
 * Other tests run commands as their users do, as processes of their own. Here they run in the process of the tests, so that
 * their statements are observed (`tests/observed`).
 */

const schema = schemaOf(modules);
const dataDir = useScratch();
const target = useScratch();
let site: Site;
let config: Config;

beforeAll(async () => {
  site = await createSite({ DATA_DIR: dataDir });
  config = await serverConfig(site.server);
});

/** Returns the exit code and what was printed. */
async function run(...words: string[]): Promise<[code: number, printed: string]> {
  const command = findCommand(commands, words);
  if (!command) throw new Error(`There is no command ${words.join(" ")}.`);
  const print = spyOn(console, "log").mockImplementation(() => {});
  try {
    const code = await command.run({ ...parseCommand(command, words), config, schema });
    return [code, print.mock.calls.flat().join("\n")];
  } finally {
    print.mockRestore();
  }
}

test("wrong counts are found and corrected", async () => {
  await withDatabase(site.server, (db) =>
    db.transaction(async (tx) => {
      await tx.run(sql`UPDATE list_counts SET live = live + 1 WHERE list = 'photos'`);
      await tx.run(sql`DELETE FROM post_tags`);
    }),
  );
  expect((await run("rebuild", "counts"))[0]).toBe(0);
  expect((await run("rebuild", "counts"))[1]).toBe("All counts are correct.");
});

test("search can be rebuilt", async () => {
  expect((await run("rebuild", "search"))[0]).toBe(0);
});

test("a stopped site is checked, and copied to other engines", async () => {
  await site.server.close();
  expect(await run("doctor", "--hash")).toEqual([0, expect.any(String)]);
  await migrateEngine(config, readConfig({ DATA_DIR: target }), schema, { say: () => {} });
});
