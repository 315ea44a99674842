import { expect, test } from "bun:test";
import { encodeFrame, readFrames } from "./frames.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const limits = { maxLineBytes: 100, maxBodyBytes: 10, maxValues: 5, maxEscapes: 3 };
const read = (bytes: Uint8Array, size = 1, more = {}) =>
  Array.fromAsync(readFrames(chunksOf(bytes, size), { ...limits, ...more }));
const textOf = (body: Uint8Array | null) => body && Buffer.from(body).toString();

test("lines and the bytes that follow them are read, however they come", async () => {
  const body = Buffer.from("{\n\0\n}");
  const all = Buffer.concat([
    encodeFrame({ a: "é" }),
    encodeFrame({ b: 1 }, body),
    encodeFrame({}),
    Buffer.from("last"),
  ]);
  for (const size of [1, 2, 7, 1000]) {
    const frames = await read(all, size);
    expect(frames.map(({ line, body: more }) => [line, textOf(more)])).toEqual([
      ['{"a":"é"}', null],
      ['{"length":5,"b":1}', body.toString()],
      ["{}", null],
      ["last", null],
    ]);
  }
});

const failureOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "",
    (error: Error) => error.message,
  );

test("what is too long, cut off or no text ends the reading", async () => {
  expect(await failureOf(read(Buffer.from("x".repeat(101))))).toContain("A line is longer than 100 bytes.");
  for (const line of ['{"a":["b",{"c":1,"d":2}],"e":3}', "[".repeat(6), ",".repeat(6)])
    expect(await failureOf(read(Buffer.from(line)))).toContain("A line has more than 5 values.");
  for (const escaped of ["\\n", "\\u0416", "\\\\", '\\"'])
    expect(await failureOf(read(Buffer.from(`{"a":"${escaped.repeat(4)}"}`)))).toContain(
      "more than 3 escaped characters",
    );
  // What a text has is not counted, whatever it looks like.
  const text = Buffer.from(`{"a":"${",[{".repeat(20)}\\"","b":",,"}\n{"c":[1,2,3]}\n`);
  for (const size of [1, 5, 1000]) expect((await read(text, size)).length).toBe(2);
  expect(await failureOf(read(encodeFrame({}, Buffer.alloc(11)), 1000))).toContain("11 bytes follow a line.");
  expect(await failureOf(read(encodeFrame({}, Buffer.alloc(9)).subarray(0, -1), 1000))).toContain(
    "last bytes are missing",
  );
  expect(await failureOf(read(Buffer.from([0xff, 10])))).toContain("not valid UTF-8");
});
