// Runs on the embedded engines only: the bodies of requests are read before any engine is used.
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { form } from "../kit/client.ts";
import { isLong } from "../kit/long.ts";
import { useServer } from "../kit/use-server.ts";

const server = useServer();
const owner = server.person("owner");
const { guest } = server;

const api = "/api/v1";
/** Accents in alternating combining classes: sorting them has quadratic cost. */
const accents = (count: number) => `a${"\u0315\u0316".repeat(count / 2)}`;

describe("names and paths", () => {
  test("a path of 15,000 slashes is refused as too deep, and a long path as too long", async () => {
    for (const slashes of [15_000, 16_000]) {
      const { status, body } = await guest.get(`${api}/files?path=a${"/".repeat(slashes)}b`);
      expect([status, body.field]).toEqual([400, "path"]);
    }
    for (const path of ["/".repeat(80_000), `a${"/".repeat(80_000)}b`, "a/".repeat(80_000)]) {
      const { status, body } = await owner.post(`${api}/directories`, { name: "new", path });
      expect([status, body.field]).toEqual([400, "path"]);
    }
  });

  test("a name with very many accents is refused before it is normalized", async () => {
    const name = accents(100_000);
    const { body: file } = await owner.upload("plain.txt", "x");
    const answers = [
      await owner.post(`${api}/directories`, { name }),
      await owner.post(`${api}/directories`, { name: "new", path: name }),
      await owner.put(`${api}/files/${file.id}`, { name }),
      await owner.post(`${api}/files/${file.id}/move`, { path: "/", name }),
      await owner.post(`${api}/files/${file.id}/copy`, { path: `/x/${name}` }),
      await owner.request("POST", `${api}/files`, form({ name: "file", value: "x", filename: accents(5000) })),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  });

  test("a name whose NFC form is short enough may be sent decomposed", async () => {
    const name = `${"\u1ec7".repeat(80)}.txt`;
    const { status, body } = await owner.post(`${api}/directories`, { name: name.normalize("NFD") });
    expect([status, body.name]).toEqual([201, name]);
  });

  test("a free name is found when every power of two is taken", async () => {
    await owner.upload("x.txt", "0", { path: "/powers" });
    for (let power = 0; power <= 53; power++) {
      await owner.upload(`x (${2 ** power}).txt`, "1", { path: "/powers" });
    }
    const { status, body } = await owner.upload("x.txt", "2", { path: "/powers" });
    expect(status).toBe(201);
    expect(body.name).toMatch(/^x \(\d+\)\.txt$/);
    const { body: all } = await guest.get(`${api}/files?path=/powers`);
    expect(new Set(all.map((file: any) => file.name)).size).toBe(56);
  });
});

describe("bodies", () => {
  test("JSON with very many values is refused before it is parsed", async () => {
    const keys = Array.from({ length: 250_000 }, (_, index) => `"k${index}":1`).join(",");
    const bodies = [
      `{"title":"x","content":"x",${keys}}`,
      `{"title":"x","content":"x","more":[${"1,".repeat(100_000)}1]}`,
      `{"title":"x","content":"x"${',"a":1'.repeat(100_000)}}`,
    ];
    for (const body of bodies) {
      const answer = await owner.post(`${api}/blog`, body);
      expect([answer.status, answer.body.error]).toEqual([400, "The body has more than 20000 values."]);
    }
    // Commas in a text are not counted.
    const { status } = await owner.post(`${api}/blog`, { title: "x", content: ",".repeat(100_000) });
    expect(status).toBe(201);
  });

  test("a form with a part header of a megabyte is refused, but one with a large file is not", async () => {
    const edge = "edge";
    const headers = { "Content-Type": `multipart/form-data; boundary=${edge}` };
    const write = (extra: string, value: string) =>
      `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nX-Extra: ${extra}\r\n\r\n${value}\r\n--${edge}--\r\n`;
    const long = await owner.request("POST", `${api}/files`, { headers, body: write("a".repeat(2 ** 20), "x") });
    expect([long.status, long.body.error]).toEqual([
      400,
      "The form contains too much data besides its file and fields.",
    ]);
    const ordinary = await owner.request("POST", `${api}/files`, { headers, body: write("a", "x".repeat(2 ** 21)) });
    expect([ordinary.status, ordinary.body.size]).toEqual([201, 2 ** 21]);
  });

  test.if(isLong)("a connection that is idle after a POST is closed like any other", async () => {
    const body = JSON.stringify({ username: "owner", password: "wrong password" });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const closed = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("close", () => resolve(text));
    });
    socket.write(
      `POST /signin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await closed).toContain("401 Unauthorized");
  });
});
