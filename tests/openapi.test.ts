import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { albumSchema, albumWithPhotosSchema } from "../src/albums/album.ts";
import { postSchema } from "../src/blog/post.ts";
import { commentSchema } from "../src/comments/comment.ts";
import { fileSchema } from "../src/files/file.ts";
import { photoSchema } from "../src/photos/photo.ts";
import { errorSchema } from "../src/platform/http/openapi.ts";
import { resultSchema } from "../src/search/search.ts";
import { messageSchema, signedInSchema, userSchema } from "../src/users/user.ts";
import { type Client, client, password, person, startServer, type TestServer } from "./kit.ts";

let server: TestServer;
let owner: Client;
let document: any;
const scratch = mkdtempSync(join(tmpdir(), "vitrine-openapi-"));

beforeAll(async () => {
  server = await startServer();
  owner = await person(server, "owner");
  ({ body: document } = await owner.get("/openapi.json"));
});
afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
});

const operations = () =>
  Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  );

/** No token is asked for, or a request without one is a way, too. */
const isOpen = (security: object[]) => security.length === 0 || security.some((way) => Object.keys(way).length === 0);

describe("the OpenAPI document", () => {
  test("is clean under redocly", async () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
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
  }, 60_000);

  test("has every endpoint of the specification", () => {
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
    const ours = `POST /signout, GET /api/v1/me, PUT /api/v1/me/password, GET /api/v1/files/{id},
      GET /api/v1/files/{id}/content, GET /api/v1/photos/{id}/image, POST /api/v1/photos/import, GET /api/v1/imports/{id}, GET /api/v1/imports/{id}/files, DELETE /api/v1/imports/{id}, PUT /api/v1/albums/{id}/photos, GET /api/v1/albums/{id}/zip, GET /api/v1/files/{id}/zip, POST /api/v1/files/{id}/move, POST /api/v1/files/{id}/copy, GET /api/v1/trash, POST /api/v1/trash/{id}/restore,
      DELETE /api/v1/trash/{id}, DELETE /api/v1/trash, PUT /api/v1/files/{id}/content, GET /api/v1/files/{id}/versions,
      GET /api/v1/files/{id}/versions/{versionID}/content, POST /api/v1/files/{id}/versions/{versionID}/restore,
      DELETE /api/v1/files/{id}/versions/{versionID}, POST /api/v1/uploads,
      GET /api/v1/uploads, GET /api/v1/uploads/{id}, PATCH /api/v1/uploads/{id}, DELETE /api/v1/uploads/{id},
      GET /api/v1/storage, GET /api/v1/search, GET /livez, GET /readyz`.split(/,\s+/);
    expect(photosAndSuch.length + others.length).toBe(29);
    expect(
      operations()
        .map((operation) => operation.name)
        .toSorted(),
    ).toEqual([...photosAndSuch, ...others, ...ours].toSorted());
  });

  test("gives every operation an example, its errors and its security", () => {
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

  test("its example bodies are accepted by the server they describe", async () => {
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

  test("what the server answers is what its schemas say, and nothing more", async () => {
    const answers: [string, z.ZodObject][] = [
      ["/api/v1/photos/1", photoSchema],
      ["/api/v1/blog/1", postSchema],
      ["/api/v1/files/1", fileSchema],
      ["/api/v1/albums/1", albumWithPhotosSchema],
      ["/api/v1/me", userSchema],
      ["/livez", messageSchema],
      ["/api/v1/photos/999", errorSchema],
    ];
    const check = (path: string, schema: z.ZodObject, body: unknown) =>
      expect([path, z.strictObject(schema.shape).safeParse(body).error?.message]).toEqual([path, undefined]);
    for (const [path, schema] of answers) check(path, schema, (await owner.get(path)).body);
    const lists: [string, z.ZodObject][] = [
      ["/api/v1/photos", photoSchema],
      ["/api/v1/blog", postSchema],
      ["/api/v1/albums", albumSchema],
      ["/api/v1/files", fileSchema],
      ["/api/v1/comments?blogPostID=1", commentSchema],
      ["/api/v1/search?q=lisbon", resultSchema],
    ];
    for (const [path, schema] of lists) check(path, schema, (await owner.get(path)).body[0]);
    check("/signin", signedInSchema, (await client(server).post("/signin", { username: "owner", password })).body);
  });
});
