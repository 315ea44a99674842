import { describe, expect, test } from "bun:test";
import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { person } from "../../../tests/kit/people.ts";
import { withDatabase } from "../../../tests/kit/server.ts";
import { useServer } from "../../../tests/kit/use-server.ts";
import { startReceiver } from "../../../tests/kit/servers/webhook-receiver.ts";
import { sql } from "../../platform/database/sql.ts";

const server = useServer();
const root = server.person("root", "admin");

const api = "/api/v1";
const hosts = `127.0.0.1 2130706433 0x7f000001 0177.0.0.1 127.1 0 0.0.0.0 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:ffff:7f00:0001] localhost LOCALHOST localhost. ①②⑦.⓪.⓪.① 169.254.169.254 10.0.0.1 192.168.0.1 172.16.0.1
  100.64.0.1 224.0.0.1 255.255.255.255 [fe80::1] [fd00:ec2::254] [64:ff9b::7f00:1] [2002:7f00:1::]`;
/** The name of this machine, if it leads to an address: in some containers it does not. */
const ownNames = await lookup(hostname()).then(
  () => [hostname()],
  () => [],
);

describe("without WEBHOOK_ALLOW_PRIVATE", () => {
  test.each([...hosts.split(/\s+/), ...ownNames])("%s is refused as a target", async (host) => {
    await using receiver = startReceiver();
    const { port } = new URL(receiver.url);
    const { status, body } = await root.post(`${api}/webhooks`, { url: `http://${host}:${port}/` });
    expect([status, body.field, body.error]).toEqual([400, "url", expect.stringContaining("not a public address")]);
    expect((await root.get(`${api}/webhooks`)).body).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  test("a name that leads to this machine later is refused when an event is sent", async () => {
    await using receiver = startReceiver();
    const { port } = new URL(receiver.url);
    const { body: hook } = await root.post(`${api}/webhooks`, { url: `http://192.0.2.1.invalid:${port}/` });
    const isolated = await person(server, "owner");
    for (const host of [...ownNames, "localhost", "127.0.0.1", "[::ffff:127.0.0.1]"]) {
      const url = `http://${host}:${port}/`;
      await withDatabase(server, (db) => db.transaction((tx) => tx.run(sql`UPDATE webhooks SET url = ${url}`)));
      const { body } = await root.post(`${api}/webhooks/${hook.id}/test`);
      expect([body.state, body.status, body.error]).toEqual(["failed", null, expect.stringContaining("not a public")]);
      await isolated.post(`${api}/albums`, { name: host });
    }
    expect(receiver.received).toEqual([]);
    await root.delete(`${api}/webhooks/${hook.id}`);
  });
});
