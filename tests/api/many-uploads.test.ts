import { beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as tus from "tus-js-client";
import type { Answer } from "../kit/client.ts";
import { findProgram, needs } from "../kit/optional.ts";
import { useScratch } from "../kit/scratch.ts";
import { useServer } from "../kit/use-server.ts";
import { until } from "../kit/until.ts";
import { testLong } from "../kit/long.ts";

const count = 60;
const scratch = useScratch();
// The default limits of a server.
const server = useServer({ RATE_LIMIT_PER_SECOND: "10", RATE_LIMIT_BURST: "30" });
const owner = server.person("owner");

beforeAll(() => {
  for (let i = 0; i < count; i++) writeFileSync(join(scratch, `${i}.txt`), `file ${i}`);
});

/** A shell loop, four uploads at a time. Returns its exit code. */
function runLoop(path: string, ...options: string[]): Promise<number> {
  const curl = ["curl", "-sSf", ...options, `${server.url}/api/v1/files`];
  const words = ["-H", `Authorization: Bearer ${owner.token}`, "-F", `path=${path}`, "-F", "file=@{}"];
  const shell = `ls *.txt | xargs -P4 -I{} "$@"`;
  return Bun.spawn(["sh", "-c", shell, "sh", ...curl, ...words], { cwd: scratch, stdout: "ignore", stderr: "ignore" })
    .exited;
}

/** Sends requests until the limit is reached. */
async function findRefusal(): Promise<Answer> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => owner.get("/api/v1/me")));
    const refusal = answers.find(({ status }) => status === 429);
    if (refusal) return refusal;
  }
}

async function countFiles(path: string): Promise<number> {
  return (
    await until(
      () => owner.get(`/api/v1/files/dir${path}`),
      ({ status }) => status === 200,
    )
  ).body.length;
}

needs("curl", findProgram("curl") !== null).testLong(
  "a shell loop of uploads with curl --retry loses none of 60 files to the rate limit",
  async () => {
    await findRefusal();
    expect(await runLoop("/kept", "--retry", "8")).toBe(0);
    expect(await countFiles("/kept")).toBe(count);
  },
);

test("a refusal says when to try again, and how to send many files", async () => {
  const { headers, body } = await findRefusal();
  const seconds = Number(headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(body.error).toBe(
    `Too many requests; try again in ${seconds === 1 ? "a second" : `${seconds} seconds`} (see Retry-After). To send many files, use a client that retries (curl --retry 8), or the import command on the server.`,
  );
});

testLong("a tus client that retries after 429 loses none of 60 files", async () => {
  const upload = (name: string) =>
    new Promise<void>((resolve, reject) => {
      new tus.Upload(Buffer.from(name), {
        endpoint: `${server.url}/api/v1/uploads`,
        headers: { Authorization: `Bearer ${owner.token}` },
        metadata: { filename: name, path: "/tus" },
        retryDelays: [1000, 2000, 4000, 8000, 16_000],
        onShouldRetry(error) {
          const status = error.originalResponse?.getStatus() ?? 0;
          return status < 400 || status === 429 || status >= 500;
        },
        onSuccess: () => resolve(),
        onError: reject,
      }).start();
    });
  const names = Array.from({ length: count }, (_, i) => `${i}.txt`);
  const workers = Array.from({ length: 4 }, async () => {
    for (let name = names.pop(); name; name = names.pop()) await upload(name);
  });
  await Promise.all(workers);
  expect(await countFiles("/tus")).toBe(count);
});
