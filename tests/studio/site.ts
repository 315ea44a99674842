import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, type ClientOptions, createClient } from "../../client/src/index.ts";
import { type Fault, startFront } from "../client/front.ts";
import { serve } from "../kit/spawn.ts";
import { useOpened } from "../kit/use-opened.ts";

const account = { username: "ada", password: "correct horse battery" };

type Site = Awaited<ReturnType<typeof openSite>>;

/** A server for tests of the studio's logic, which run without a browser. */
export const useSite = (): Site => useOpened(openSite);

async function openSite() {
  const dataDir = mkdtempSync(join(tmpdir(), "vitrine-test-"));
  const server = await serve({ DATA_DIR: dataDir });
  const front = await startFront(server.url);
  const elsewhere = createClient({ baseURL: server.url });
  await elsewhere.signUp(account);
  await elsewhere.signIn(account);
  return {
    /** Another device of the same account, whose requests do not fail. */
    elsewhere,
    /** The client of a page that is opened now. Its requests can fail. */
    connect: (more: ClientOptions = {}): Client =>
      createClient({ baseURL: front.url, token: elsewhere.token, retry: { attempts: 1 }, ...more }),
    /** The next request whose method and URL begin so fails. */
    fail: (start: string, fault: Fault) => front.fail(start, fault),
    /** What pages have sent. */
    sent: () => front.seen,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
