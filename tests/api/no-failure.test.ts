import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { isScaled } from "../kit/engine.ts";
import { type Client, client } from "../kit/client.ts";
import { admin } from "../kit/people.ts";
import { sendRaw, statusesIn } from "../kit/files/raw.ts";
import { isLong } from "../kit/long.ts";
import { useServer } from "../kit/use-server.ts";

type Operation = { method: string; path: string; fields: string[]; queries: string[] };

let chief: Client;
let operations: Operation[];

const server = useServer({ MAX_UPLOAD_BYTES: "100000" });
beforeAll(async () => {
  chief = await admin(server);
  await chief.upload("a.txt", "hello", { path: "/a/b" });
  await chief.post("/api/v1/photos", { title: "x", fileID: 3, width: 1, height: 1 });
  await chief.post("/api/v1/blog", { title: "x", content: "y", coverID: 1 });
  await chief.post("/api/v1/comments", { content: "x", blogPostID: 1 });
  await chief.post("/api/v1/albums", { name: "x" });
  const all = readOperations((await chief.get("/openapi.json")).body);
  // Creating succeeds rarely, so it is tried more often.
  operations = [...all, ...Array(3).fill(all.filter(({ method }) => method === "POST"))].flat();
});

const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "..",
    "/",
    "a".repeat(5000),
    "true",
    "null",
    "1e999",
    "-1",
    "9007199254740993",
    "é",
    "💥",
    "%00",
  ),
);
const oddValue = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -1, max: 5 }) },
  { weight: 3, arbitrary: oddText },
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.anything(), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("id", "__proto__", "constructor", "x"), fc.anything(), { maxKeys: 3 }),
);
const operation = fc.nat().map((index) => operations[index % operations.length] as Operation);

test("no request causes a 500: every endpoint, with bodies, queries, ids and tokens of all kinds", async () => {
  const request = operation.chain((chosen) =>
    fc.record({
      method: fc.constant(chosen.method),
      path: pathOf(chosen),
      query: fc.dictionary(fc.constantFrom(...chosen.queries, "x"), oddText, { maxKeys: 3 }),
      body: fc.oneof(
        { weight: 9, arbitrary: likelyBody(chosen.fields) },
        {
          weight: 2,
          arbitrary: fc.dictionary(fc.constantFrom(...chosen.fields, "id", "__proto__"), oddValue).map(stringify),
        },
        fc.json(),
        oddText,
      ),
      type: fc.constantFrom(
        ...Array<string>(6).fill("application/json"),
        "application/json; charset=utf-8",
        "text/plain",
        "multipart/form-data; boundary=x",
        "",
      ),
      token: fc.constantFrom("good", "good", "good", "good", "none", "bad"),
    }),
  );
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, body, type, token }) => {
      const who = client(server, token === "good" ? chief.token : token === "bad" ? "a.b.c" : null);
      const hasBody = method === "POST" || method === "PUT";
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, value.toWellFormed()]),
      );
      const { status, body: answer } = await who.request(method, `${path}?${search.toString()}`, {
        ...(hasBody && { body: body.toWellFormed() }),
        ...(hasBody && type && { headers: { "Content-Type": type } }),
      });
      expect(status).toBeLessThan(500);
      if (status >= 400) expect(answer.error).toBeString();
      seen.set(status, (seen.get(status) ?? 0) + 1);
      // Some requests end the session, such as those that sign out, or remove second factors.
      if (token === "good" && status === 401) chief = await freshToken();
    }),
    { numRuns: isLong ? 5000 : 400 },
  );
  // The requests are unusual, but not so much that all of them fail at the first check. About one in eighty creates something.
  for (const status of isLong ? [200, 201, 400, 401, 404] : [200, 400, 401, 404])
    expect([status, (seen.get(status) ?? 0) > 10]).toEqual([status, true]);
});

test("no form causes a 500, and a refused one leaves nothing behind", async () => {
  chief = await freshToken();
  const part = fc.record({
    name: fc.constantFrom("file", "path", "isDirectory", "name", "onConflict", "x"),
    filename: fc.option(oddText, { nil: undefined }),
    value: fc.oneof(
      oddText,
      fc.constantFrom("true", "false", "replace", "fail", "/a/b", "/a/b/a.txt", "x".repeat(150_000)),
    ),
  });
  const form = fc.record({
    parts: fc.array(part, { maxLength: 6 }),
    cut: fc.option(fc.nat(400), { nil: undefined }),
    boundary: fc.constantFrom("x", "y"),
  });
  await fc.assert(
    fc.asyncProperty(form, async ({ parts, cut, boundary }) => {
      const text = parts.map(({ name, filename, value }) => {
        const file = filename === undefined ? "" : `; filename="${filename.replace(/[\r\n"]/g, "_")}"`;
        return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
      });
      const whole = `${text.join("")}--x--\r\n`;
      const { status, body } = await chief.request("POST", "/api/v1/files", {
        body: Buffer.from(cut === undefined ? whole : whole.slice(0, cut)),
        headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
      });
      expect([201, 400]).toContain(status);
      if (status === 400) expect(body.error).toBeString();
    }),
    { numRuns: isLong ? 1000 : 80 },
  );
  const left = await Array.fromAsync(new Bun.Glob(isScaled ? "spool/*/*" : "incoming/*").scan(server.dataDir));
  expect(left).toEqual([]);
});

test("no bytes on the wire cause a 500", async () => {
  const target = fc.oneof(
    fc.constantFrom("/", "/api/v1/photos", "/api/v1/files/dir/%zz", "//x", "/api/v1/files/dir/..%2f"),
    fc.webPath(),
  );
  const header = fc.tuple(
    fc.constantFrom(
      "Host",
      "Range",
      "If-None-Match",
      "Accept-Encoding",
      "Authorization",
      "Content-Length",
      "X-Request-Id",
    ),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "HEAD", "PUT", "OPTIONS", "FOO"),
      target,
      fc.array(header, { maxLength: 4 }),
      async (method, path, headers) => {
        const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
        const answer = await sendRaw(server.url, `${method} ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`, 5);
        for (const status of statusesIn(answer)) expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 300 },
  );
});

function readOperations(document: any): Operation[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, { parameters, requestBody }]) => {
      const reference = requestBody?.content["application/json"]?.schema.$ref ?? "";
      const schema = document.components.schemas[reference.split("/").at(-1)];
      const queries = parameters.filter((one: any) => one.in === "query").map((one: any) => one.name);
      return { method: method.toUpperCase(), path, fields: Object.keys(schema?.properties ?? { x: 1 }), queries };
    }),
  );
}

/** The first record of each kind is never deleted, so that most requests find one. */
function pathOf({ method, path }: Operation) {
  const known = method === "DELETE" ? fc.constantFrom("2", "4", "5", "6") : fc.constantFrom("1", "2", "3");
  const value = fc.oneof(
    { weight: 4, arbitrary: known },
    oddText.map((text) => encodeURIComponent(text.toWellFormed())),
  );
  return fc
    .array(value, { minLength: 2, maxLength: 2 })
    .map((values) => path.replace(/\{\w+\}/g, () => values.pop() ?? "1"));
}

/** Valid fields, with an unusual one from time to time. */
function likelyBody(fields: string[]) {
  const known: Record<string, fc.Arbitrary<unknown>> = {
    visibility: fc.constantFrom("public", "private"),
    publishedAt: fc.constantFrom(null, "2026-11-15T09:30:00Z"),
    slug: fc.constantFrom("some-text", undefined, undefined, undefined),
    tags: fc.constantFrom([], ["some"]),
    parentID: fc.constantFrom(null, null, 1),
    kind: fc.constantFrom("post", "page", undefined, undefined),
    photoOrder: fc.constantFrom("manual", "oldestFirst", undefined),
    filter: fc.constantFrom(null, undefined, undefined, { tags: ["some"] }),
    status: fc.constantFrom("visible", "hidden"),
    ids: fc.constantFrom([1], [1, 3]),
    commentsOpen: fc.boolean(),
    showLocation: fc.boolean(),
    isFavourite: fc.boolean(),
    trash: fc.boolean(),
    takenAt: fc.constantFrom(null, "2026-11-15T09:30:00Z"),
    place: fc.constantFrom(null, { latitude: 1, longitude: 2 }),
    addTags: fc.constantFrom([], ["some"]),
    removeTags: fc.constantFrom([], ["some"]),
    set: fc.constantFrom({ title: "some text" }, { takenAtShift: 60 }, { visibility: "private" }),
    move: fc.constantFrom({ path: "/some" }, undefined),
    // Otherwise nobody could sign up any more.
    signupRole: fc.constant("author"),
  };
  const likely = (field: string) =>
    known[field] ??
    (/ID$|width|height/.test(field) ? fc.constantFrom(1, 3) : fc.constantFrom("some text", "another text"));
  // About one field of every third body is unusual.
  const weight = 3 * fields.length;
  const entries = fields.map((field) => [field, fc.oneof({ weight, arbitrary: likely(field) }, oddValue)] as const);
  return fc.record(Object.fromEntries(entries)).map(stringify);
}

/** Lone surrogates are sent as escapes, as a careless client would do. */
function stringify(value: object): string {
  return JSON.stringify(value) ?? "{}";
}

async function freshToken(): Promise<Client> {
  const { body } = await client(server).post("/signin", { username: "root", password: "correct horse battery" });
  return client(server, body.token, body.user.id);
}
