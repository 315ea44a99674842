import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tus } from "../../../src/features/uploads/tus.test.ts";
import { type Client, everything } from "../client.ts";
import { startServer, type TestServer } from "../server.ts";
import { api, createEverybody, everybody, linkTo, type People } from "./records.ts";
import type { Row } from "./row.ts";

/** A new server and its people, for the tests of the `describe` that calls this. */
export function useNewServer(): { server: TestServer; people: People } {
  const used = {} as { server: TestServer; people: People };
  beforeAll(async () => {
    const server = await startServer({ WEBHOOK_ALLOW_PRIVATE: "true" });
    Object.assign(used, { server, people: await createEverybody(server) });
  });
  afterAll(() => used.server.close());
  return used;
}

/** Who may do what: every row, as everybody. */
export function describePermissions(rows: readonly Row[]): void {
  // All records are compared after each row, so a server gets only a part of them.
  const parts = Math.ceil(rows.length / rowsPerServer);
  for (let part = 0; part < parts; part++) {
    describe(`${parts} servers: ${part + 1}`, () => {
      const used = useNewServer();
      const some = rows.slice(part * rowsPerServer, (part + 1) * rowsPerServer);
      test.each(some.map((row) => [row.route, row] as const))("%s", (_route, row) => expectPermissions(used, row));
    });
  }
}

const rowsPerServer = 30;

async function expectPermissions(
  { server, people }: { server: TestServer; people: People },
  { expected, link, prepare, send }: Row,
): Promise<void> {
  const columns = [
    ...everybody.map((who, index) => [who, expected[index] ?? 0] as const),
    ["link", link ?? expected[0]] as const,
  ];
  type Column = (typeof columns)[number];
  const isRefused = ([, wanted]: Column) => wanted >= 400;
  const expectStatus = async ([who, wanted]: Column, record: any, linked: Client | null) => {
    const { status, body } = await send(who === "link" ? (linked as Client) : people[who], record);
    expect([who, status]).toEqual([who, wanted]);
    if (wanted >= 400) expect(body.error).toBeString();
  };
  // Whoever is refused finds the same record, because nobody before has changed anything.
  const refused = columns.filter(isRefused);
  if (refused.length > 0) {
    const record = await prepare?.(people);
    const linked = refused.some(([who]) => who === "link") ? await linkTo(server, people, record) : null;
    const before = await stateOf(people, record);
    for (const column of refused) await expectStatus(column, record, linked);
    expect(await stateOf(people, record)).toEqual(before);
  }
  for (const column of columns.filter((column) => !isRefused(column))) {
    const record = await prepare?.(people);
    await expectStatus(column, record, column[0] === "link" ? await linkTo(server, people, record) : null);
  }
}

type Watched = { watch?: string[]; trashOf?: Client };

/** What a refused request must not have changed: everything a guest sees, and what the admin sees of the record. */
async function stateOf({ guest, admin }: People, { watch = [], trashOf }: Watched = {}) {
  const watched = watch.map(async (path) => [path, (await admin.get(path, tus)).body]);
  const trash = await trashOf?.get(`${api}/trash`);
  return { ...(await everything({ url: guest.url("") })), watched: await Promise.all(watched), trash: trash?.body };
}
