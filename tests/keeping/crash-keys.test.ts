// Runs only with TEST_LONG: it starts many processes, and what it keeps safe is tried in npm test by shorter stories.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { engineEnv, testScaled } from "../kit/engine.ts";
import { type Answer, type Client, client } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { isLong } from "../kit/long.ts";
import { runVitrine, startVitrine } from "../kit/process.ts";
import { startProxy, through } from "../kit/faults/tcp-proxy.ts";
import { useScratch } from "../kit/scratch.ts";

const kills = isLong ? 40 : 4;
const api = "/api/v1";
const scratch = useScratch();

/** What the requests refer to. */
type Base = { fileID: number; postID: number; albumID: number };
type Sent = { kind: string; mark: string; key: string; answer: Answer | null };
/** `send` creates something with this mark in its name; `find` returns how often that exists. */
type Operation = {
  isReused?: true;
  send(who: Client, mark: string, base: Base): Promise<Answer>;
  find(who: Client, mark: string, base: Base): Promise<number>;
};

const named = (items: any[], mark: string) =>
  items.filter(({ title, name, content }) => [title, name, content].includes(mark)).length;
const count = (path: string) => async (who: Client, mark: string) => named(await readAll(who, path), mark);
const countFiles = async (who: Client, mark: string) => named((await who.get(`${api}/files`)).body, mark);

const operations: Record<string, Operation> = {
  post: { send: (who, mark) => who.post(`${api}/blog`, { title: mark, content: "…" }), find: count("/blog") },
  comment: {
    send: (who, mark, { postID }) => who.post(`${api}/comments`, { content: mark, blogPostID: postID }),
    find: async (who, mark, { postID }) => named((await who.get(`${api}/comments?blogPostID=${postID}`)).body, mark),
  },
  photo: {
    send: (who, mark, { fileID }) => who.post(`${api}/photos`, { title: mark, fileID }),
    find: count("/photos"),
  },
  photos: {
    send: (who, mark, { fileID }) => who.post(`${api}/photos/many`, { photos: [{ title: mark, fileID }] }),
    find: count("/photos"),
  },
  album: { send: (who, mark) => who.post(`${api}/albums`, { name: mark }), find: count("/albums") },
  directory: { send: (who, mark) => who.post(`${api}/directories`, { name: mark }), find: countFiles },
  copy: {
    send: (who, mark, { fileID }) => who.post(`${api}/files/${fileID}/copy`, { path: "/", name: mark }),
    find: countFiles,
  },
  // An upload is repeated without a key: a second file would have a number in its name.
  upload: {
    isReused: true,
    send: (who, mark) => who.upload(mark, mark, { path: `/${mark}`, onConflict: "reuse" }),
    find: async (who, mark) => (await who.get(`${api}/files?path=/${mark}`)).body.length,
  },
  // A second copy would have a number in its name.
  batch: {
    send: (who, mark, { fileID }) => who.post(`${api}/files/batch`, { ids: [fileID], copy: { path: `/${mark}` } }),
    find: async (who, mark) => (await who.get(`${api}/files?path=/${mark}`)).body.length,
  },
};

test(`after each of ${kills} kill -9, a request with its key has its result, and was carried out once`, async () => {
  const dataDir = join(scratch, "site");
  const env = { DATA_DIR: dataDir, JWT_SECRET: "a secret that survives every crash", ...(await engineEnv(dataDir)) };
  await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
  let token: string | null = null;
  let base: Base | null = null;
  let lost = 0;

  for (let round = 0; round < kills; round++) {
    const server = await startVitrine(env);
    token ??= (await client(server).post("/signin", { username: "writer", password })).body.token as string;
    const writer = client(server, token);
    base ??= await createBase(writer);
    const sent: Sent[] = [];
    const load = { isStopped: false };
    const writers = Object.keys(operations).map((kind) =>
      keepSending(writer, { kind, base: base as Base, sent, load }),
    );
    await Bun.sleep(60 + Math.random() * 200);
    server.process.kill("SIGKILL");
    load.isStopped = true;
    await Promise.all([...writers, server.process.exited]);

    const next = await startVitrine(env);
    const again = client(next, token);
    for (const one of [...sent.filter(({ answer }) => !answer), ...sent.filter(({ answer }) => answer).slice(-20)]) {
      const first = await send(again, one, base);
      expect([one.kind, first.status, first.body.error]).toEqual([
        one.kind,
        one.answer?.status ?? first.status,
        undefined,
      ]);
      expect([200, 201]).toContain(first.status);
      const { find, isReused = false } = operations[one.kind] as Operation;
      if (one.answer) expect([first.body, isReplayed(first)]).toEqual([one.answer.body, !isReused]);
      else lost++;
      const second = await send(again, one, base);
      expect([second.status, second.body, isReplayed(second)]).toEqual([first.status, first.body, !isReused]);
      expect([one.kind, await find(again, one.mark, base)]).toEqual([one.kind, 1]);
    }
    await next.close();
  }
  expect(lost).toBeGreaterThan(0);
});

/** Where a request with a key ends. What is sent to the database for the second time with the key stores it. */
const points: { name: string; words: (mark: string) => string; times?: number; isPassedOn: boolean }[] = [
  { name: "before the key is looked up", words: (mark) => `key-${mark}`, isPassedOn: false },
  { name: "before the change", words: (mark) => `title ${mark}`, isPassedOn: false },
  { name: "after the change", words: (mark) => `title ${mark}`, isPassedOn: true },
  { name: "before the key is stored", words: (mark) => `key-${mark}`, times: 2, isPassedOn: false },
  { name: "after the key was stored", words: (mark) => `key-${mark}`, times: 2, isPassedOn: true },
  { name: "before the commit", words: () => "COMMIT", isPassedOn: false },
  { name: "after the commit", words: () => "COMMIT", isPassedOn: true },
];

testScaled(
  "wherever a failover or a kill -9 cuts a request with a key, it is carried out once, and its repetition returns its result",
  async () => {
    const dataDir = join(scratch, "cut");
    const engines = await engineEnv(dataDir);
    const { hostname, port } = new URL(engines.DATABASE_URL ?? "");
    const proxy = await startProxy({ host: hostname, port: Number(port) });
    const env = { ...engines, DATA_DIR: dataDir, DATABASE_URL: through(engines.DATABASE_URL ?? "", proxy) };
    await runVitrine(["user", "add", "writer", "--create"], env, `${password}\n`);
    let server = await startVitrine(env);
    const token = (await client(server).post("/signin", { username: "writer", password })).body.token as string;
    for (const isKilled of [false, true]) {
      for (const { name, words, times = 1, isPassedOn } of isKilled ? points.slice(-2) : points) {
        const mark = crypto.randomUUID();
        const repeat = () =>
          client(server, token).post(
            `${api}/blog`,
            { title: `title ${mark}`, content: "…" },
            { "Idempotency-Key": `key-${mark}` },
          );
        const { promise: reached, resolve } = Promise.withResolvers<void>();
        const at = { mark, words: words(mark), times, isPassedOn };
        proxy.breakAt({
          ...at,
          async reached() {
            if (isKilled) server.process.kill("SIGKILL");
            if (isKilled) await server.process.exited;
            resolve();
          },
        });
        const sent = repeat().catch(() => null);
        await reached;
        const cut = await sent;
        if (isKilled) server = await startVitrine(env);
        const isLast = at.words === "COMMIT";
        expect([name, cut?.status]).toEqual([name, isKilled ? undefined : isLast ? 500 : 201]);
        const first = await repeat();
        expect([name, first.status, isReplayed(first)]).toEqual([name, 201, !isLast || isPassedOn]);
        const second = await repeat();
        expect([name, second.status, second.body.id, isReplayed(second)]).toEqual([name, 201, first.body.id, true]);
        expect([name, await count("/blog")(client(server, token), `title ${mark}`)]).toEqual([name, 1]);
      }
    }
    await server.close();
    await proxy.close();
  },
);

async function createBase(who: Client): Promise<Base> {
  const { body: file } = await who.upload("picture.png", png(2, 2));
  const { body: post } = await who.post(`${api}/blog`, { title: "Post", content: "…" });
  const { body: album } = await who.post(`${api}/albums`, { name: "Album" });
  await who.post(`${api}/photos`, { title: "Photo", fileID: file.id });
  return { fileID: file.id, postID: post.id, albumID: album.id };
}

type Load = { kind: string; base: Base; sent: Sent[]; load: { isStopped: boolean } };

async function keepSending(who: Client, { kind, base, sent, load }: Load): Promise<void> {
  while (!load.isStopped) {
    const one: Sent = { kind, mark: crypto.randomUUID(), key: crypto.randomUUID(), answer: null };
    sent.push(one);
    try {
      one.answer = await send(who, one, base);
      expect([kind, one.answer.status < 300]).toEqual([kind, true]);
    } catch (error) {
      if (load.isStopped) return;
      throw error;
    }
  }
}

function send(who: Client, { kind, mark, key }: Sent, base: Base): Promise<Answer> {
  const keyed: Client = { ...who, post: (path, body) => who.post(path, body, { "Idempotency-Key": key }) };
  return (operations[kind] as Operation).send(keyed, mark, base);
}

const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";

async function readAll(who: Client, path: string): Promise<any[]> {
  const items: any[] = [];
  for (let page = 1; ; page++) {
    const { body } = await who.get(`${api}${path}?page=${page}&pageSize=1000`);
    items.push(...body);
    if (body.length < 1000) return items;
  }
}
