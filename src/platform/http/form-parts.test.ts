import { describe, expect, test } from "bun:test";
import { parametersOf, splitForm } from "./form-parts.ts";

const edge = "edge";
const disposition = 'Content-Disposition: form-data; name="a"';

async function* inChunks(body: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(body: string, size = 1000) {
  const found: { name?: string; filename?: string; isFile: boolean; text: string }[] = [];
  for await (const { content, charset: _, ...part } of splitForm(inChunks(body, size), edge, () => 0)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    found.push(JSON.parse(JSON.stringify({ ...part, text: Buffer.concat(chunks).toString() })));
  }
  return found;
}

const problem = (body: string, size?: number) => read(body, size).catch((error: Error) => error.message);

describe("the parts of a form", () => {
  const contents = [
    "",
    "x",
    "\r",
    "\r\n",
    "\r\n--edg",
    "\r\r\n--edg\r\n--ed",
    "x--edge",
    "\n--edge--",
    "\r\n\r\n",
    "\r\n-\r\n--",
  ];
  const form = `preamble\r\n${contents
    .map((text) => `--${edge}\r\n${disposition}; filename="ü.txt"\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`)
    .join("")}--${edge}--\r\nepilogue`;

  test("are the same, however the body is divided into chunks", async () => {
    const expected = contents.map((text) => ({ name: "a", filename: "ü.txt", isFile: true, text }));
    for (let size = 1; size < 100; size++) expect([size, await read(form, size)]).toEqual([size, expected]);
    expect(await read(form, 100_000)).toEqual(expected);
  });

  test("need not be read", async () => {
    const names: unknown[] = [];
    for await (const { filename } of splitForm(inChunks(form, 7), edge, () => 0)) names.push(filename);
    expect(names).toEqual(contents.map(() => "ü.txt"));
  });

  test("without a name of a form, or without content, are not parts", async () => {
    const part = (header: string) => `--${edge}\r\n${header}\r\n\r\nvalue\r\n`;
    const ignored = [
      part(""),
      part("Content-Type: text/plain"),
      part('Content-Disposition: attachment; name="a"'),
      part(`X: 1\n${disposition}`),
      `--${edge}\r\n${disposition}\r\n`,
      `--${edge}\r\n${disposition}\r\n\r\n`,
    ];
    const body = `${ignored.join("")}${part(disposition)}--${edge}--`;
    for (const size of [1, 2, 3, 5, 7, 11, 1000]) {
      expect([size, await read(body, size)]).toEqual([size, [{ name: "a", isFile: false, text: "value" }]]);
    }
  });

  test("are files if they have a filename or the type of bytes", async () => {
    const part = (header: string) => `--${edge}\r\n${header}\r\n\r\nvalue\r\n`;
    const body = [
      part(`${disposition}\r\nContent-Type: application/octet-stream`),
      part(`content-disposition:form-data;\r\n\tname=a; filename=`),
      part(`${disposition}; filename="C:\\pictures\\a\\"b.jpg"`),
    ];
    expect(await read(`${body.join("")}--${edge}--`)).toEqual([
      { name: "a", isFile: true, text: "value" },
      { name: "a", filename: "", isFile: true, text: "value" },
      { name: "a", filename: 'a"b.jpg', isFile: true, text: "value" },
    ]);
  });

  test("must end with the last boundary", async () => {
    const sentence = "The form is malformed: it ends before its last boundary.";
    const whole = `--${edge}\r\n${disposition}\r\n\r\nvalue\r\n--${edge}--`;
    for (let length = 0; length < whole.length; length++) {
      expect([length, await problem(whole.slice(0, length))]).toEqual([length, sentence]);
    }
  });

  test("have limits: their number, their headers, and what is outside of them", async () => {
    const part = `--${edge}\r\n${disposition}\r\n\r\nvalue\r\n`;
    expect(await read(`${part.repeat(17)}--${edge}--`)).toHaveLength(17);
    expect(await problem(`${part.repeat(18)}--${edge}--`)).toContain("too many parts");
    expect(await problem(`--${edge}\r\n\r\n`.repeat(19))).toContain("too many parts");
    const much = "x".repeat(2 ** 17 + 1);
    for (const body of [
      much,
      `--${edge}\r\n${much}`,
      `--${edge}\r\nX: ${"x".repeat(2 ** 14)}\r\n${disposition}\r\n\r\nvalue\r\n--${edge}--`,
      `--${edge}\r\n\r\n${much}\r\n--${edge}--`,
      `--${edge}--${much}`,
    ]) {
      expect(await problem(body)).toContain("too much data besides");
    }
  });

  test("stop the reading of the body when they are left", async () => {
    let isStopped = false;
    async function* body() {
      try {
        yield* inChunks(form, 10);
      } finally {
        isStopped = true;
      }
    }
    for await (const _ of splitForm(body(), edge, () => 0)) break;
    expect(isStopped).toBe(true);
  });
});

test("parameters of a header may be quoted, escaped, or have a charset", () => {
  expect(parametersOf('multipart/form-data; Boundary="a; b"; x = y z ;q="\\"\\\\\\n"')).toEqual({
    boundary: "a; b",
    x: "y z",
    q: '"\\\\n',
  });
  expect(parametersOf(`form-data; filename=a; filename*=UTF-8''na%C3%AFve%20.txt`)).toEqual({ filename: "naïve .txt" });
  expect(parametersOf(`form-data; filename*=UTF-8''na%C3%AFve.txt; filename=a`)).toEqual({ filename: "naïve.txt" });
  expect(parametersOf("form-data; filename*=iso-8859-1'en'%A3; x*=plain; y*=none''%C3%A4")).toEqual({
    filename: "£",
    x: "plain",
    y: "ä",
  });
});
