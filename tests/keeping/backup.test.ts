import { SQL } from "bun";
import { beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { realS3 } from "../../src/platform/blobs/s3-servers.test.ts";
import { newDirectory, useScratch } from "../kit/scratch.ts";
import { asDaemon, postgresPrograms } from "../kit/servers/daemons.ts";
import { makeDatabase, scaledWith } from "../kit/engine.ts";
import { client } from "../kit/client.ts";
import { password } from "../kit/people.ts";
import { findProgram } from "../kit/optional.ts";
import { runAsDaemon, startPostgres } from "../kit/servers/postgres.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { root } from "../kit/root.ts";
import { until } from "../kit/until.ts";

const script = readFileSync(join(root, "deploy/postgres-backup"), "utf8");
const archiving = readFileSync(join(root, "deploy/postgresql-archive.conf"), "utf8");

const hasPrograms = postgresPrograms !== null && findProgram("rclone") !== null;
const { describe: describeWanted } = scaledWith("PostgreSQL's programs and rclone", hasPrograms);

const scratch = useScratch();
beforeAll(() => chmodSync(scratch, 0o755));

type Environment = Record<string, string>;

describeWanted("deploy/postgres-backup", () => {
  test("a dump and a copy of the bucket, created while the site is in use, restore it completely on other servers", async () => {
    const site = { ...(await makeStorage()), DATABASE_URL: await makeDatabase(), DATA_DIR: makeDirectory() };
    const backup = makeDirectory();
    const server = await startVitrine(site);
    const token = await signUp(server);
    await addPost(server, token, "before");
    const stopping = new AbortController();
    const writing = writeUntil(stopping.signal, server, token);
    await run("dump", { ...site, BACKUP: backup });
    stopping.abort();
    await writing;
    await server.close();

    const database = `restored_${crypto.randomUUID().replaceAll("-", "")}`;
    const other = await makeStorage();
    const restored = { ...other, DATABASE_URL: withDatabase(site.DATABASE_URL, database), DATA_DIR: makeDirectory() };
    await run("restore", {
      ...site,
      BACKUP: backup,
      NEW_DATABASE: database,
      NEW_DATABASE_URL: restored.DATABASE_URL,
      NEW_BUCKET: other.BUCKET,
    });
    await expectWhole(restored);
    await expectPosts(restored, token, (titles) => titles.includes("before"));
  });

  test("a base backup and the WAL restore the site to a point in time before a mistake", async () => {
    const backup = makeDirectory();
    await runAsDaemon(scratch, "mkdir", join(backup, "wal"));
    await using postgres = await startPostgres({ settings: archiving.replaceAll("/backup/", `${backup}/`) });
    const site = { ...(await makeStorage()), DATABASE_URL: postgres.url, DATA_DIR: makeDirectory() };
    const recipe = { ...site, BACKUP: backup, PGDATA: postgres.data };
    const server = await startVitrine(site);
    const token = await signUp(server);
    await addPost(server, token, "before the base backup");
    await run("base", recipe);
    const wanted = await addPost(server, token, "after the base backup");
    await run("files", recipe);
    await Bun.sleep(1100);
    const database = new SQL(site.DATABASE_URL, { max: 1 });
    const [{ moment }] = await database`SELECT now()::text AS moment`;
    await Bun.sleep(1100);

    // The mistake: a file is deleted permanently, with its bytes.
    await addPost(server, token, "too late");
    await client(server, token).delete(`/api/v1/files/${wanted.id}`);
    await removeBlob(site, wanted.sha256);
    await server.close();
    const [{ segment }] = await database`SELECT pg_walfile_name(pg_switch_wal()) AS segment`;
    await database.close();
    await until(() => existsSync(join(backup, "wal", segment)));
    await postgres.stop("immediate");
    renameSync(postgres.data, `${postgres.data}.broken`);

    await run("restore-moment", { ...recipe, MOMENT: moment });
    await expectWhole(site);
    await expectPosts(site, token, (titles) => titles.length === 2 && !titles.includes("too late"));
    await using restored = await startVitrine(site);
    const content = await fetch(`${restored.url}/api/v1/files/${wanted.id}/content`);
    expect([content.status, await content.text()]).toEqual([200, "bytes of after the base backup"]);
  });
});

/** Runs the script with this command, as the user of PostgreSQL, who may not be able to read the file. */
async function run(command: string, env: Environment): Promise<void> {
  const child = Bun.spawn(asDaemon("bash", "-c", script, "postgres-backup", command), {
    cwd: scratch,
    env: { ...env, PATH: `${postgresPrograms}:${process.env.PATH}`, HOME: scratch },
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  const [output = "", errors = ""] = await Promise.all(texts);
  if ((await child.exited) !== 0) throw new Error(`"${command}" exited with ${child.exitCode}: ${output}${errors}`);
}

/** A directory that PostgreSQL can write to as well. */
function makeDirectory(): string {
  const directory = newDirectory(scratch);
  chmodSync(directory, 0o777);
  return directory;
}

/** A separate bucket, and the variables that name it. */
async function makeStorage() {
  const server = realS3();
  if (!server) throw new Error("TEST_S3_URL is not set.");
  const { bucket, endpoint, region, accessKeyID, secretAccessKey } = await server.freshBucket();
  return {
    BUCKET: bucket,
    ENDPOINT: endpoint ?? "",
    STORAGE_URL: `s3://${bucket}?endpoint=${endpoint}&region=${region}`,
    AWS_ACCESS_KEY_ID: accessKeyID,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

async function removeBlob(
  { BUCKET: bucket = "", ENDPOINT: endpoint = "" }: Environment,
  sha256: string,
): Promise<void> {
  await new Bun.S3Client({ bucket, endpoint, region: "us-east-1" }).delete(`blobs/${sha256.slice(0, 2)}/${sha256}`);
}

const withDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

async function signUp(server: { url: string }): Promise<string> {
  await client(server).post("/signup", { username: "writer", password });
  return (await client(server).post("/signin", { username: "writer", password })).body.token;
}

/** Creates a post, and a file of that name. */
async function addPost(server: { url: string }, token: string, title: string) {
  const writer = client(server, token);
  const post = await writer.post("/api/v1/blog", { title, content: "x" });
  const file = await writer.upload(title, `bytes of ${title}`);
  expect([post.status, file.status]).toEqual([201, 201]);
  return file.body;
}

async function writeUntil(signal: AbortSignal, server: { url: string }, token: string): Promise<void> {
  for (let number = 0; !signal.aborted; number++) await addPost(server, token, `meanwhile ${number}`);
}

async function expectWhole(env: Environment): Promise<void> {
  const { code, stdout, stderr } = await runVitrine(["doctor", "--hash"], env);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^The database is consistent\.\nAll [1-9]\d* files are present/);
}

async function expectPosts(env: Environment, token: string, isRight: (titles: string[]) => boolean): Promise<void> {
  await using server = await startVitrine(env);
  const { status, body } = await client(server, token).get("/api/v1/blog?pageSize=1000");
  expect(status).toBe(200);
  expect(body.map((post: any) => post.title)).toSatisfy(isRight);
}
