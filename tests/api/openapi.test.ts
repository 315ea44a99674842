// Runs on the embedded engines only: the OpenAPI document does not depend on the engines.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkResponsesOf, stopChecking } from "../kit/check-responses.ts";
import { client } from "../kit/client.ts";
import { useScratch } from "../kit/scratch.ts";
import { useServer } from "../kit/use-server.ts";
import { testLong } from "../kit/long.ts";

let document: any;
const scratch = useScratch();

const server = useServer();
const owner = server.person("owner");
beforeAll(async () => {
  ({ body: document } = await owner.get("/openapi.json"));
});

const operations = () =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  );

/** The names of the texts and numbers in a schema that may be of any length or size. */
function* fieldsWithoutLimit({ $ref, anyOf, items, properties, type, ...rules }: any, name: string): Generator<string> {
  const has = (...names: string[]) => names.some((rule) => rule in rules);
  if ($ref) return yield* fieldsWithoutLimit(document.components.schemas[$ref.split("/").at(-1)], name);
  for (const part of [...(anyOf ?? []), ...(items ? [items] : [])]) yield* fieldsWithoutLimit(part, name);
  for (const [field, part] of Object.entries(properties ?? {})) yield* fieldsWithoutLimit(part, field);
  const isText = type === "string" && !has("maxLength", "enum", "const", "format");
  const isNumber = (type === "integer" || type === "number") && !has("minimum", "enum", "const");
  if (isText || isNumber || (!type && !anyOf && !has("const", "enum"))) yield name;
}

/** Whether the operation can be called without a token. */
const isOpen = (security: object[]) => security.length === 0 || security.some((way) => Object.keys(way).length === 0);

const photosAndSuch = ["photos", "blog", "albums"].flatMap((kind) => [
  `POST /api/v1/${kind}`,
  `GET /api/v1/${kind}`,
  `GET /api/v1/${kind}/{id}`,
  `PUT /api/v1/${kind}/{id}`,
  `DELETE /api/v1/${kind}/{id}`,
]);
const others = `POST /signup, POST /signin, POST /api/v1/comments, GET /api/v1/comments, PUT /api/v1/comments/{id},
  DELETE /api/v1/comments/{id}, POST /api/v1/albums/{id}/photos, DELETE /api/v1/albums/{id}/photos/{photoID},
  POST /api/v1/files, GET /api/v1/files, GET /api/v1/files/dir/{path}, PUT /api/v1/files/{id},
  DELETE /api/v1/files/{id}, POST /api/v1/directories`.split(/,\s+/);
const specified = [...photosAndSuch, ...others];

describe("the OpenAPI document", () => {
  testLong("passes the checks of redocly", async () => {
    const root = fileURLToPath(new URL("../../", import.meta.url));
    const file = join(scratch, "openapi.json");
    writeFileSync(file, JSON.stringify(document));
    const lint = Bun.spawn(
      [
        "node",
        join(root, "node_modules/@redocly/cli/bin/cli.js"),
        "lint",
        file,
        "--format",
        "json",
        "--config",
        join(root, "redocly.yaml"),
      ],
      {
        env: {
          PATH: process.env.PATH ?? "",
          HOME: scratch,
          REDOCLY_TELEMETRY: "off",
          REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
        },
        stdout: "pipe",
        stderr: "ignore",
      },
    );
    const report = JSON.parse(await new Response(lint.stdout).text());
    expect(report.problems.map((problem: any) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  test("has every endpoint of the specification", () => {
    expect(specified.length).toBe(29);
    // That nothing else is missing, the rows of tests/api/permissions.test.ts show.
    const found = new Set(operations().map(({ name }) => name));
    expect(specified.filter((name) => !found.has(name))).toEqual([]);
  });

  test("has examples, errors and security for every operation", () => {
    for (const { name, requestBody, responses, security, parameters } of operations()) {
      const json = requestBody?.content["application/json"];
      if (json) expect([name, typeof json.example]).toEqual([name, "object"]);
      expect([name, Boolean(responses["400"] && responses["500"])]).toEqual([name, true]);
      expect([name, Boolean(responses["401"] && responses["403"]) || isOpen(security)]).toEqual([name, true]);
      if (name.includes("/api/v1") || name.includes("/sign"))
        expect([name, Boolean(responses["429"])]).toEqual([name, true]);
      for (const parameter of parameters) expect(parameter.schema.type).toBeString();
    }
  });

  test("has a rule for every field of a body: a type, and a limit, a format or a list of values", () => {
    const bodies = operations().flatMap(({ requestBody }) => Object.values<any>(requestBody?.content ?? {}));
    const found = new Set(bodies.flatMap(({ schema }) => [...fieldsWithoutLimit(schema, "")]));
    // Their rules are sentences: those of names and paths are in the description of the tag, and the others with the field.
    expect([...found].toSorted()).toEqual(["backup", "events", "name", "next", "path", "sha256"]);
    const files = document.tags.find(({ name }: { name: string }) => name === "Files");
    expect(files.description).toMatch(/255 bytes.* 64 names/);
  });

  test("has example bodies that the server accepts", async () => {
    await owner.upload("1", "x");
    await owner.upload("2", "x");
    await owner.upload("3", "x");
    await owner.post("/api/v1/photos", { title: "x", fileID: 1, width: 1, height: 1 });
    const order = [
      "createPhoto",
      "createPost",
      "createComment",
      "createAlbum",
      "addAlbumPhoto",
      "changePhoto",
      "changePost",
      "changeComment",
      "changeAlbum",
      "createDirectory",
    ];
    for (const id of order) {
      const operation = operations().find((one) => one.operationId === id);
      const [method, path] = operation.name.split(" ");
      const { status, body } = await owner.request(method, path.replace(/\{\w+\}/, "1"), {
        body: JSON.stringify(operation.requestBody.content["application/json"].example),
        headers: { "Content-Type": "application/json" },
      });
      expect([id, status, body.error]).toEqual([id, operation.responses["201"] ? 201 : 200, undefined]);
    }
  });

  test("has no patterns that need flags, and no fields that are required because of a default", () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"pattern"');
    for (const { name, requestBody, description, tags } of operations()) {
      expect([name, Boolean(description) && document.tags.some((tag: any) => tag.name === tags[0])]).toEqual([
        name,
        true,
      ]);
      for (const { schema } of Object.values<any>(requestBody?.content ?? {})) {
        const named = document.components.schemas[schema.$ref?.split("/").at(-1)] ?? schema;
        expect([name, JSON.stringify(named).includes('"default"')]).toEqual([name, false]);
      }
    }
    expect(document.info.contact.name).toBeString();
    expect(document.components.schemas.NewPhoto.required).toEqual(["title", "fileID"]);
  });

  test("declares statuses that only some operations return", () => {
    const statuses = (id: string) => Object.keys(operations().find((one) => one.operationId === id).responses);
    expect(statuses("listPhotos")).toContain("304");
    expect(statuses("readContent")).toEqual(expect.arrayContaining(["206", "302", "304", "416", "503"]));
    expect(statuses("createUpload")).toEqual(expect.arrayContaining(["412", "413"]));
    expect(statuses("replaceContent")).toContain("412");
    expect(statuses("readReadiness")).toContain("503");
    const { responses } = operations().find((one) => one.operationId === "readPhotoImage");
    expect(Object.keys(responses["200"].content)).toEqual(["image/jpeg", "image/webp", "image/avif"]);
  });

  test("declares only the statuses of the specification for its endpoints", () => {
    const allowed = new Set(["200", "201", "304", "400", "401", "403", "404", "409", "412", "429", "500"]);
    for (const { name, responses } of operations().filter(({ name }) => specified.includes(name))) {
      expect([name, Object.keys(responses).filter((status) => !allowed.has(status))]).toEqual([name, []]);
    }
  });
});

describe("the tests themselves", () => {
  const answers: Record<string, [status: number, body: unknown, headers?: Record<string, string>]> = {
    "/api/v1/blog/1": [200, { id: 1 }],
    "/livez": [200, { message: "alive", extra: true }],
    "/readyz": [418, { message: "ready" }],
    "/api/v1/photos": [200, []],
    "/api/v1/search": [200, [], { "Content-Type": "text/plain; charset=utf-8" }],
    "/feed.xml": [200, {}, { "Content-Type": "application/atom+xml" }],
    "/robots.txt": [200, {}, { "X-Content-Type-Options": "" }],
    "/nowhere": [200, {}],
  };

  test.each([
    ["/api/v1/blog/1", '"kind" is missing'],
    ["/livez", '"extra" is not declared'],
    ["/readyz", "the status 418 is not declared"],
    ["/api/v1/photos", "without the header Link"],
    ["/api/v1/search", "has the content type text/plain"],
    ["/feed.xml", "application/atom+xml without an encoding"],
    ["/robots.txt", "without nosniff"],
    ["/nowhere", "200 is undocumented"],
  ])("fail if a server returns %s in a way that the document does not declare", async (path, problem) => {
    using liar = Bun.serve({
      port: 0,
      fetch(request) {
        const [status, body, headers = {}] = answers[new URL(request.url).pathname] ?? [404, {}];
        return Response.json(body, { status, headers: { "X-Content-Type-Options": "nosniff", ...headers } });
      },
    });
    const url = `http://127.0.0.1:${liar.port}`;
    checkResponsesOf(url);
    expect(client({ url }).get(path)).rejects.toThrow(problem);
    stopChecking(url);
  });
});
