import { describe, expect, test } from "bun:test";
import busboy from "busboy";
import fc from "fast-check";
import { decode, parametersOf, splitForm } from "./form-parts.ts";

/*
 * The parser of forms is compared with another one, busboy: on forms as browsers send them with contents made to confuse a
 * parser, on hostile forms, and on forms that are cut off. Where the two differ, the table at the end says how and why.
 */

type Found = { name?: string; isFile: boolean; filename?: string; content: string };
/** The parts, or null if the form is refused. */
type Parsed = Found[] | null;

async function parseOurs(type: string, body: Buffer, chunkSize: number): Promise<Parsed> {
  const { boundary } = parametersOf(type);
  if (!boundary) return null;
  try {
    const found: Found[] = [];
    for await (const part of splitForm(inChunks(body, chunkSize), boundary, () => 0)) {
      const bytes = Buffer.concat(await Array.fromAsync(part.content));
      const content = part.isFile ? bytes.toString("latin1") : decode(bytes, part.charset);
      found.push(describePart(part.name, part.isFile ? part.filename : undefined, part.isFile, content));
    }
    return found;
  } catch {
    return null;
  }
}

async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}

function parseTheirs(type: string, body: Buffer, chunkSize: number): Promise<Parsed> {
  const { promise, resolve } = Promise.withResolvers<Parsed>();
  const most = 1e9;
  try {
    const parser = busboy({
      headers: { "content-type": type },
      defParamCharset: "utf8",
      limits: { fieldSize: most, fieldNameSize: most },
    });
    const found: Found[] = [];
    parser.on("file", (name, stream, { filename }) => {
      const part = describePart(name, filename, true, "");
      found.push(part);
      stream.on("data", (bytes: Buffer) => (part.content += bytes.toString("latin1")));
      stream.on("error", () => {});
    });
    parser.on("field", (name, value) => found.push(describePart(name, undefined, false, value)));
    parser.on("error", () => resolve(null));
    parser.on("close", () => resolve(found));
    for (let start = 0; start < body.length; start += chunkSize) parser.write(body.subarray(start, start + chunkSize));
    parser.end();
  } catch {
    resolve(null);
  }
  return promise;
}

const describePart = (
  name: string | undefined,
  filename: string | undefined,
  isFile: boolean,
  content: string,
): Found => ({
  ...(name === undefined ? {} : { name }),
  isFile,
  ...(filename === undefined ? {} : { filename }),
  content,
});

const type = "multipart/form-data; boundary=edge";
const end = "--edge--\r\n";
const formData = "Content-Disposition: form-data";
const named = `${formData}; name="a"`;
const partOf = (header: string, content = "value") => `--edge\r\n${header}\r\n\r\n${content}\r\n`;
const withHeader = (header: string, content?: string) => partOf(header, content) + end;

/** Headers that both parsers read in the same way. */
const headers = [
  named,
  `${named}; filename="x.txt"`,
  `${named}; filename="x.txt"\r\nContent-Type: text/html`,
  `${named}\r\nContent-Type: application/octet-stream`,
  formData,
  `${formData}; filename="x"`,
  `${formData}; name=a; filename=x.txt`,
  `${formData}; name="a\\"b\\\\c"; filename="q\\"w.txt"`,
  `${named}; filename="C:\\pictures\\x.jpg"`,
  `${named}; filename="../../etc/passwd"`,
  `${named}; filename="a%22b.txt"`,
  `${named}; filename*=UTF-8''na%C3%AFve.txt`,
  `${named}; filename="naive.txt"; filename*=UTF-8''na%C3%AFve.txt`,
  `${named}; filename*=UTF-8''na%C3%AFve.txt; filename="naive.txt"`,
  `${named}; filename*=iso-8859-1'en'%A3.txt`,
  `${formData}; name="ü"; filename="日本.txt"`,
  `${formData}; name="a;b=c"; filename="x;y.txt"`,
  `${formData}; name="a%0D%0Ab"`,
  `${named}\r\n${formData}; name="b"`,
  `${formData};\r\n name="a"`,
  `${formData};\r\n\tname="a"`,
  'content-disposition: FORM-DATA; NAME="a"',
  'Content-Disposition:form-data;name="a"',
  `${formData}, name="a"`,
  'Content-Disposition: attachment; name="a"',
  "Content-Type: text/plain",
  `${named}\r\nContent-Type: text/plain; charset=iso-8859-1`,
  `${named}\r\nContent-Transfer-Encoding: base64`,
  `${named}; filename="x"\r\nContent-Transfer-Encoding: base64`,
  `X: ${"x".repeat(16_000)}\r\n${named}`,
  `${named}\r\nX: ${"x".repeat(20_000)}`,
];

const contents = [
  "",
  "value",
  "\uFEFFtext",
  "x--edge--y\n--edge\r--edge",
  "x\r\n--edg\r\n--e\r\n-",
  "\r\n\r\n",
  "\r\n--edgex\r\nrest",
  "x--edge",
  "\r\r\n--edg\r\r\n",
];

const forms: Record<string, [type: string, body: string]> = {
  "a form without an end": [type, partOf(named)],
  "no line break after the end": [type, `${partOf(named)}--edge--`],
  "only the end": [type, "--edge--"],
  nothing: [type, ""],
  "text before and after the parts": [type, `before\r\n${withHeader(named)}after`],
  "text before the first boundary without a line break": [type, `before${withHeader(named)}`],
  "line breaks before the first boundary": [type, `\r\n\r\n${withHeader(named)}`],
  "text after the end": [type, `${partOf(named)}--edge--after`],
  "a form after the end": [type, withHeader(named) + withHeader(named)],
  "spaces before the dashes of the end": [type, `--edge  \r\n${named}\r\n\r\nvalue\r\n--edge  --\r\n`],
  "line feeds alone": [type, `--edge\n${named}\n\nvalue\n--edge--\n`],
  "a boundary in quotes": ['multipart/form-data; boundary="edge"', withHeader(named)],
  "the type in other letters": ["Multipart/Form-Data; Boundary=edge", withHeader(named)],
  "no boundary": ["multipart/form-data", withHeader(named)],
  "an empty boundary": ["multipart/form-data; boundary=", withHeader(named)],
  "an empty boundary in quotes": ['multipart/form-data; boundary=""', withHeader(named)],
  ...Object.fromEntries(headers.map((header) => [`the header ${header.slice(0, 80)}`, [type, withHeader(header)]])),
  ...Object.fromEntries(
    contents.map((text) => [`the content ${JSON.stringify(text)}`, [type, withHeader(`${named}; filename="x"`, text)]]),
  ),
};

async function expectSame(type: string, body: Buffer, chunkSize: number): Promise<void> {
  const [ours, theirs] = [await parseOurs(type, body, chunkSize), await parseTheirs(type, body, chunkSize)];
  expect({ chunkSize, body: body.toString(), parts: ours }).toEqual({
    chunkSize,
    body: body.toString(),
    parts: theirs,
  });
}

describe("the parser of forms and busboy find the same parts", () => {
  test.each(Object.entries(forms))("%s", async (_what, [type, text]) => {
    const body = Buffer.from(text);
    const isShort = body.length < 1000;
    for (let size = 1; size < (isShort ? body.length : 3); size++) await expectSame(type, body, size);
    await expectSame(type, body, body.length + 1);
  });

  test("in a form that is cut off at any byte", async () => {
    const body = Buffer.from(
      `before\r\n${partOf(named)}${partOf(`${named}; filename="ü.txt"`, "\r\n--edg")}${partOf(named, "")}--edge--`,
    );
    for (let length = 0; length <= body.length; length++) {
      for (const size of [1, 5, 1000]) await expectSame(type, body.subarray(0, length), size);
    }
  });

  test("in generated forms", async () => {
    const token = fc.constantFrom(...contents, "\r", "\n", "\r\n", "-", "--", "\r\n--", "edge", "x", "\0", "é");
    const content = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(""));
    const part = fc
      .tuple(fc.constantFrom(...headers.filter(({ length }) => length < 1000)), content.filter(isWellFormed))
      .map(([header, text]) => partOf(header, text));
    const form = fc.array(part, { maxLength: 5 }).map((parts) => Buffer.from(parts.join("") + end));
    await fc.assert(
      fc.asyncProperty(form, fc.integer({ min: 1, max: 60 }), (body, size) => expectSame(type, body, size)),
      { numRuns: 400 },
    );
  });
});

/** A boundary in a content begins another part, whose header is then whatever follows: see the table below. */
const isWellFormed = (content: string) => !/(^|\r\n)--edge/.test(content);

const value = (name: string | undefined, content = "value"): Found => describePart(name, undefined, false, content);
const file = (name: string, filename: string): Found => describePart(name, filename, true, "value");

/** Forms that the two read differently, on purpose: what we find, and what busboy finds. */
const differences: [reason: string, type: string, body: string, ours: Parsed, theirs: Parsed][] = [
  // A part that is not part of a form is ignored, as a part of another kind is, and the others are read.
  ["a part without a header is ignored", type, withHeader("").replace("\r\n\r\n\r\n", "\r\n\r\n"), [], null],
  ["a part without content is ignored", type, `--edge\r\n${named}\r\n${end}`, [], null],
  ["a header with a line feed alone is none of a form", type, withHeader(`X: 1\n${named}`), [], null],
  ["a header with a carriage return alone is none of a form", type, withHeader(`X: a\rb\r\n${named}`), [], null],
  [
    "a name of a header that ends with a space is another name",
    type,
    withHeader('Content-Disposition : form-data; name="a"'),
    [],
    null,
  ],
  // A header that we do not read may be malformed, as long as it is short.
  ["a malformed header beside the others is ignored", type, withHeader(`nonsense\r\n${named}`), [value("a")], null],
  [
    "the number of headers has no limit of its own",
    type,
    withHeader(`${"X: 1\r\n".repeat(2100)}${named}`),
    [value("a")],
    null,
  ],
  // Parameters are read as leniently as clients write them; what they say is checked by those who use it.
  [
    "a value without quotes may have spaces",
    type,
    withHeader(`${formData}; name=a b; filename=x y.txt`),
    [file("a b", "x y.txt")],
    [],
  ],
  ["there may be spaces around the equals sign", type, withHeader(`${formData}; name = "a"`), [value("a")], []],
  ["an empty parameter is ignored", type, withHeader(`${formData};; name="a"`), [value("a")], []],
  ["what follows a value in quotes is ignored", type, withHeader(`${named} junk; filename="x"`), [file("a", "x")], []],
  ["a quote that is not closed is part of the value", type, withHeader(`${formData}; name="a`), [value('"a')], []],
  ["the last one of two parameters counts", type, withHeader(`${named}; name="b"`), [value("b")], [value("a")]],
  [
    "bytes that are not encoded correctly stay as they are",
    type,
    withHeader(`${named}; filename*=UTF-8''%zz.txt`),
    [file("a", "%zz.txt")],
    [],
  ],
  [
    "an unknown charset of a name is read as UTF-8",
    type,
    withHeader(`${named}; filename*=none''a.txt`),
    [file("a", "a.txt")],
    [],
  ],
  [
    "a NUL is left to those who check names",
    type,
    withHeader(`${formData}; name="a\0b"; filename="x\0.txt"`),
    [file("a\0b", "x\0.txt")],
    null,
  ],
  ["a name may be empty", type, withHeader(`${formData}; name=""`), [value("")], [value(undefined)]],
  ["a part with an empty filename is a file", type, withHeader(`${named}; filename=""`), [file("a", "")], [value("a")]],
  // Text that cannot be decoded is not lost.
  [
    "an unknown charset of a field is read as UTF-8",
    type,
    withHeader(`${named}\r\nContent-Type: text/plain; charset=nope`, "é"),
    [value("a", "é")],
    [{ name: "a", isFile: false, content: undefined as never }],
  ],
  [
    "an incomplete character is replaced",
    type,
    withHeader(`${named}\r\nContent-Type: text/plain; charset=utf-16le`, "a\0b"),
    [value("a", "a\uFFFD")],
    [value("a", "a")],
  ],
  // Boundaries.
  ["a boundary may be followed by spaces", type, `--edge  \r\n${named}\r\n\r\nvalue\r\n${end}`, [value("a")], []],
  [
    "a boundary may be followed by one dash",
    type,
    `${partOf(named)}--edge-\r\n${named}\r\n\r\nvalue\r\n${end}`,
    [value("a"), value("a")],
    [value("a")],
  ],
  [
    "a boundary may have any character without quotes",
    "multipart/form-data; boundary=a=?b",
    withHeader(named).replaceAll("edge", "a=?b"),
    [value("a")],
    null,
  ],
  [
    "the last one of two boundaries counts",
    "multipart/form-data; boundary=x; boundary=edge",
    withHeader(named),
    [value("a")],
    null,
  ],
];

describe("the parser of forms differs from busboy:", () => {
  test.each(differences)("%s", async (_reason, type, text, ours, theirs) => {
    const body = Buffer.from(text);
    for (const size of [1, 7, body.length]) {
      expect([size, await parseOurs(type, body, size)]).toEqual([size, ours]);
      expect([size, await parseTheirs(type, body, size)]).toEqual([size, theirs]);
    }
  });
});
