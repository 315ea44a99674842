// Runs only with TEST_LONG: it measures large sites or several copies of the server, which takes minutes.
import { SQL } from "bun";
import { expect, test } from "bun:test";
import { engineEnv, scaledWith } from "../kit/engine.ts";
import { type Answer, client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { pgbouncer, pool, startPgBouncer } from "../kit/servers/pooler.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";

const { describe: describeWanted } = scaledWith("PgBouncer", pgbouncer !== null);

const scratch = useScratch();

const withoutPrepared = "pool_mode = transaction";

describeWanted("behind PgBouncer", () => {
  test("three copies share connections, and every request succeeds", async () => {
    const env = await engineEnv("pooled");
    await using pooler = await startPgBouncer(env.DATABASE_URL ?? "");
    const start = () =>
      startVitrine({
        ...env,
        DATABASE_URL: pooler.url,
        // A busy machine takes longer for all of it.
        DATABASE_TIMEOUT_MS: "30000",
        DATA_DIR: newDirectory(scratch),
      });
    const copies = [await start(), await start(), await start()] as const;
    await client(copies[0]).post("/signup", { username: "writer", password });
    const { token } = (await client(copies[0]).post("/signin", { username: "writer", password })).body;
    const { body: album } = await client(copies[0], token).post("/api/v1/albums", { name: "shared" });

    const failures: Answer[] = [];
    const note = (answer: Answer) => {
      if (answer.status >= 300) failures.push(answer);
      return answer;
    };
    await Promise.all(
      Array.from({ length: 24 }, async (_, writerIndex) => {
        for (let turn = 0; turn < 5; turn++) {
          const copy = copies[(writerIndex + turn) % 3] as (typeof copies)[number];
          const writer = client(copy, token);
          const title = `${writerIndex}/${turn}`;
          const { body: file } = note(await writer.upload(`${writerIndex}-${turn}.txt`, title));
          const { body: photo } = note(
            await writer.post("/api/v1/photos", { title, fileID: file.id, width: 1, height: 1 }),
          );
          note(await writer.post(`/api/v1/albums/${album.id}/photos`, { photoID: photo.id }));
          const { body: post } = note(await writer.post("/api/v1/blog", { title, content: "x" }));
          note(await writer.post("/api/v1/comments", { content: title, blogPostID: post.id }));
          note(await client(copy).get(`/api/v1/search?q=${title}`));
        }
      }),
    );
    expect(failures).toEqual([]);
    expect((await client(copies[1]).get(`/api/v1/albums/${album.id}`)).body.photoCount).toBe(120);
    expect(await countConnections(env.DATABASE_URL ?? "")).toBeLessThanOrEqual(pool.size);
    await Promise.all(copies.map((copy) => copy.close()));
  });

  test("one that does not carry prepared statements over works by chance, or is reported in one sentence", async () => {
    const env = await engineEnv("prepared");
    await runVitrine(["user", "add", "ada", "--create"], env, `${password}\n`);
    await using pooler = await startPgBouncer(env.DATABASE_URL ?? "", { size: 5, settings: withoutPrepared });
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => runVitrine(["user", "list"], { ...env, DATABASE_URL: pooler.url })),
    );
    for (const { code, stderr } of starts) {
      if (code !== 0) expect(stderr).toMatch(/^vitrine: .* use PgBouncer 1\.21 or later .*\n$/);
    }
  });
});

/** The connections to this database, without ours. */
async function countConnections(url: string): Promise<number> {
  const database = new SQL(url, { max: 1 });
  const [row] = await database`
    SELECT count(*)::int AS connections FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await database.close();
  return row.connections;
}
