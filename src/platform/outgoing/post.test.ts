import { describe, expect, test } from "bun:test";
import { startReceiver } from "../../../tests/kit/servers/webhook-receiver.ts";
import type { Addresses } from "./begin-request.ts";
import { post } from "./post.ts";
import { isPublicAddress, isServerAddress } from "./public-address.ts";

const notPublic = [
  ["this machine", "127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 ::1 ::"],
  ["local networks", "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1 fec0::1"],
  ["the local link, and the metadata of clouds", "169.254.1.1 169.254.169.254 fe80::1 fe80::1%eth0 fd00:ec2::254"],
  ["carrier networks", "100.64.0.1 100.127.255.255"],
  [
    "IPv4 in IPv6",
    "::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 ::169.254.169.254 64:ff9b::7f00:1 64:ff9b:1::1 64:ff9b:1::a9fe:a9fe 2002:7f00:1:: 2002:a9fe:a9fe::1",
  ],
  ["multicast, broadcast and reserved", "224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1 100::1"],
  ["documentation and tests", "192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 2001:db8::1 3fff::1 2001::1"],
  ["what is not an address", "localhost 127.1 1.2.3 0x7f000001"],
];

describe("public addresses", () => {
  test.each(notPublic)("are not %s", (_what, addresses) => {
    for (const address of addresses.split(" ")) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  test("are the others", () => {
    for (const address of "1.1.1.1 8.8.8.8 100.63.0.1 100.128.0.1 172.15.0.1 172.32.0.1 2606:4700::1111 2a00:1450::1".split(
      " ",
    )) {
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    }
  });
});

test("a server of one's own has any address but those of no machine, of metadata, and those that stand for an IPv4 address", () => {
  const own = "10.0.0.5 127.0.0.1 ::1 fd12::1 93.184.215.14 2606:4700::1111";
  const others =
    "fe80::1 fd00:ec2::254 0.0.0.0 100.100.100.200 169.254.169.254 ff02::1 x :: ::169.254.169.254 ::a9fe:a9fe ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe::1";
  expect(own.split(" ").filter((address) => !isServerAddress(address))).toEqual([]);
  expect(others.split(" ").filter(isServerAddress)).toEqual([]);
});

describe("a request to another server", () => {
  const options = { headers: {}, body: "{}", allowPrivate: false, signal: new AbortController().signal };

  test("is refused if any of the addresses of the name is not public", async () => {
    await using receiver = startReceiver();
    const { port } = new URL(receiver.url);
    const found: Addresses = [
      { address: "8.8.8.8", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const sending = post(new URL(`http://hooks.example.org:${port}/`), {
      ...options,
      findAddresses: async () => found,
    });
    expect(sending).rejects.toThrow("hooks.example.org is not a public address.");
    await sending.catch(() => {});
    expect(receiver.received).toEqual([]);
  });

  test("goes to the address that was checked, even if the name then has another one", async () => {
    await using receiver = startReceiver();
    const { port } = new URL(receiver.url);
    let times = 0;
    const findAddresses = async (): Promise<Addresses> => {
      times++;
      return [{ address: times === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const url = new URL(`http://hooks.example.org:${port}/path?query=1`);
    expect(await post(url, { ...options, allowPrivate: true, findAddresses })).toMatchObject({
      status: 200,
      excerpt: "received",
    });
    expect(times).toBe(1);
    expect(receiver.received[0]?.headers.get("host")).toBe(`hooks.example.org:${port}`);
    expect(receiver.received[0]?.path).toBe("/path");
  });

  test("ends when it is aborted, also while the name is looked up", async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const sending = post(new URL("http://hooks.example.org/"), {
      ...options,
      signal,
      findAddresses: () => new Promise(() => {}),
    });
    stopping.abort();
    expect(sending).rejects.toThrow("The request failed");
    await sending.catch(() => {});
  });
});
