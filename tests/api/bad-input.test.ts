// Runs on other engines only with TEST_LONG: what is wrong with a request is found before an engine is asked.
import { beforeAll, describe, expect, test } from "bun:test";
import { type Answer, everything, form, type Part } from "../kit/client.ts";
import { png } from "../kit/files/png.ts";
import { password } from "../kit/people.ts";
import { useServer } from "../kit/use-server.ts";

let image: any;
let photo: any;
let post: any;
let comment: any;
let album: any;
let directory: any;

const api = "/api/v1";

const server = useServer({ PASSWORD_RULE: "strong" });
const { guest } = server;
const owner = server.person("owner");
beforeAll(async () => {
  const made = async (path: string, body: object) => (await owner.post(api + path, body)).body;
  image = (await owner.upload("image.png", png(2, 2))).body;
  photo = await made("/photos", { title: "Photo", fileID: image.id });
  post = await made("/blog", { title: "Post", content: "…", coverID: photo.id });
  comment = await made("/comments", { content: "Comment", blogPostID: post.id });
  album = await made("/albums", { name: "Album" });
  directory = await made("/directories", { name: "Directory" });
});

/** All records, which must be unchanged after every refused request. */
const snapshot = () =>
  everything(
    server,
    `${api}/comments?blogPostID=${post.id}`,
    `${api}/albums/${album.id}`,
    `${api}/files?path=${directory.name}`,
  );

type Wrong = [what: string, value: unknown][];
const absent = Symbol("not sent");

const missing: Wrong = [["missing", absent]];
const nothing: Wrong = [["null", null]];
const blank: Wrong = [
  ["empty", ""],
  ["blank", " \t\u00a0\u2003"],
];
const noText: Wrong = [
  ["a number", 7],
  ["a boolean", true],
  ["an array", ["text"]],
  ["an object", { text: "text" }],
  ["with NUL", "a\0b"],
  ["a lone surrogate", "a\ud800b"],
  ["a lone low surrogate", "\udc00"],
];
const tooLong = (max: number): Wrong => [["too long", "x".repeat(max + 1)]];
const noLine: Wrong = [...noText, ["with a line break", "a\nb"], ["with an escape", "a\u001bb"]];
const noInteger: Wrong = [
  ["a string", "1"],
  ["a boolean", true],
  ["an array", [1]],
  ["an object", {}],
  ["a fraction", 1.5],
  ["zero", 0],
  ["negative", -1],
  ["beyond 2^53", 2 ** 53],
  ["huge", 1e300],
];

const line = [...nothing, ...blank, ...noLine, ...tooLong(300)];
const id = [...nothing, ...noInteger];
const pixels: Wrong = [...noInteger, ["a million and one", 1_000_001]];
const description = [...noText, ...tooLong(20_000)];
const content = [...nothing, ...blank, ...noText, ...tooLong(2_000_000)];
const comments = [...nothing, ...blank, ...noText, ...tooLong(10_000)];
const name: Wrong = [...nothing, ...blank, ...noLine, ["too long", "ü".repeat(128)], ["..", ".."], ["a path", "a/b"]];
const path: Wrong = [
  ["with ..", "/Directory/../x"],
  ["with an empty segment", "/Directory//x"],
  ["with a backslash", "Directory\\x"],
  ["with a line break", "Directory\nx"],
  ["with a segment that is too long", "x".repeat(256)],
  ["too deep", "/d".repeat(65)],
];
const secret: Wrong = [...missing, ...nothing, ...noText, ["too long", "x".repeat(257)]];
const newSecret: Wrong = [...secret, ["empty", ""], ["too short", "1234567"]];
const username: Wrong = [...missing, ...nothing, ...blank, ...noLine, ...tooLong(64), ["with a blank", "a b"]];

type Fields = Record<string, unknown>;

/** Every body that the API accepts: a valid one, and invalid values for each of its fields. */
const bodies: [door: string, right: () => Fields, wrongs: Record<string, Wrong>][] = [
  ["POST /signup", () => ({ username: "newcomer", password }), { username, password: newSecret }],
  [
    "POST /signin",
    () => ({ username: "owner", password }),
    { username: [...missing, ...nothing, ...noText, ...tooLong(256)], password: secret },
  ],
  [
    "PUT /api/v1/me/password",
    () => ({ oldPassword: password, newPassword: "another password" }),
    { oldPassword: secret, newPassword: newSecret },
  ],
  [
    "POST /api/v1/photos",
    () => ({ title: "New", description: "New", fileID: image.id, width: 2, height: 2 }),
    { title: [...missing, ...line], description, fileID: [...missing, ...id], width: pixels, height: pixels },
  ],
  [
    "PUT /api/v1/photos/:photo",
    () => ({ title: "New", description: "New", fileID: image.id, width: 2, height: 2 }),
    { title: line, description, fileID: id, width: pixels, height: pixels },
  ],
  [
    "POST /api/v1/blog",
    () => ({ title: "New", content: "New", coverID: photo.id }),
    { title: [...missing, ...line], content: [...missing, ...content], coverID: noInteger },
  ],
  [
    "PUT /api/v1/blog/:post",
    () => ({ title: "New", content: "New", coverID: null }),
    { title: line, content, coverID: noInteger },
  ],
  [
    "POST /api/v1/comments",
    () => ({ content: "New", blogPostID: post.id }),
    { content: [...missing, ...comments], blogPostID: [...missing, ...id] },
  ],
  ["PUT /api/v1/comments/:comment", () => ({ content: "New" }), { content: [...missing, ...comments] }],
  ["POST /api/v1/albums", () => ({ name: "New" }), { name: [...missing, ...line] }],
  ["PUT /api/v1/albums/:album", () => ({ name: "New" }), { name: [...missing, ...line] }],
  ["POST /api/v1/albums/:album/photos", () => ({ photoID: photo.id }), { photoID: [...missing, ...id] }],
  ["PUT /api/v1/files/:file", () => ({ name: "New" }), { name: [...missing, ...name] }],
  [
    "POST /api/v1/directories",
    () => ({ name: "New", path: "/Directory" }),
    { name: [...missing, ...name], path: [...noText, ...path] },
  ],
];

function send(door: string, body: string | Fields): Promise<Answer> {
  const ids: Fields = { photo: photo.id, post: post.id, comment: comment.id, album: album.id, file: image.id };
  const [method, path] = door.replace(/:(\w+)/, (_, which: string) => String(ids[which])).split(" ") as [
    string,
    string,
  ];
  return method === "PUT" ? owner.put(path, body) : owner.post(path, body);
}

/** The response is a 400 whose sentence names the field. */
function expectRefusal(what: string, { status, body }: Answer, field: string): void {
  expect([what, status]).toEqual([what, 400]);
  expect(body.error).toBeString();
  expect([what, body.error]).toEqual([what, expect.stringContaining(field)]);
}

describe("an invalid field is refused by name, and nothing of the request is stored", () => {
  const fields = bodies.flatMap(([door, right, wrongs]) =>
    Object.entries(wrongs).map(([field, wrong]) => [door, field, wrong, right] as const),
  );

  test.each(fields)("%s: %s", async (door, field, wrong, right) => {
    const before = await snapshot();
    for (const [what, value] of wrong) {
      const { [field]: _, ...others } = right();
      const answer = await send(door, value === absent ? others : { ...others, [field]: value });
      expectRefusal(what, answer, field);
    }
    expect(await snapshot()).toEqual(before);
  });

  test("none of the refused accounts and passwords exist", async () => {
    expect((await owner.get(`${api}/me`)).status).toBe(200);
    expect((await guest.post("/signin", { username: "owner", password })).status).toBe(200);
    expect((await guest.post("/signin", { username: "newcomer", password })).status).toBe(401);
    expect((await guest.post("/signup", { username: "newcomer", password })).status).toBe(201);
  });

  test("the same requests with valid fields are accepted", async () => {
    for (const [door, right] of bodies) {
      if (door === "POST /signup") continue;
      const { status } = await send(door, door.includes("directories") ? { ...right(), name: "Other" } : right());
      expect([door, status < 300]).toEqual([door, true]);
    }
  });
});

describe("a body that is not a JSON object is refused", () => {
  test.each(bodies.map(([door]) => door))("%s", async (door) => {
    const before = await snapshot();
    for (const body of [
      "",
      "{",
      "title=New",
      "[]",
      `[{"title":"New"}]`,
      `"New"`,
      "7",
      "true",
      "null",
      "\ufeff",
      "{}x",
    ]) {
      const { status, body: answer } = await send(door, body);
      expect([body, status]).toEqual([body, 400]);
      expect(answer.error).toBeString();
    }
    expect(await snapshot()).toEqual(before);
  });
});

describe("an invalid query parameter is refused by name", () => {
  const noNumber = ["", "%20", "x", "0", "-1", "1.5", "1e1", "0x1", "1%00", "NaN", "null", "99999999999999999999"];
  const noPath = [
    "a%00b",
    "../x",
    "Directory//x",
    "a%5Cb",
    "a%0Ab",
    "x".repeat(256),
    "d/".repeat(65),
    "x/".repeat(8000),
  ];

  test.each([
    ["/photos", "page", noNumber],
    ["/photos", "pageSize", [...noNumber, "1001"]],
    ["/blog", "page", noNumber],
    ["/blog", "pageSize", [...noNumber, "1001"]],
    ["/albums", "page", noNumber],
    ["/albums", "pageSize", [...noNumber, "1001"]],
    ["/comments", "blogPostID", noNumber],
    ["/files", "path", noPath],
  ])("GET %s: %s", async (path, field, values) => {
    for (const value of values) expectRefusal(value, await guest.get(`${api}${path}?${field}=${value}`), field);
  });

  test("a whole number that is too small or too large is refused with the limit", async () => {
    for (const [query, complaint] of [
      ["/photos?page=-1", '"page" must be at least 1.'],
      ["/albums?page=0", '"page" must be at least 1.'],
      ["/blog?pageSize=-1", '"pageSize" must be at least 1.'],
      ["/blog?pageSize=0", '"pageSize" must be at least 1.'],
      ["/blog?pageSize=1001", '"pageSize" must be at most 1000.'],
      ["/comments?blogPostID=-7", '"blogPostID" must be at least 1.'],
      ["/search?q=x&limit=-1", '"limit" must be at least 1.'],
      ["/photos/map?zoom=-1", '"zoom" must be at least 0.'],
      ["/photos/map?zoom=400", '"zoom" must be at most 20.'],
      ["/photos?page=--1", '"page" must be a whole number.'],
      ["/photos?page=1.5", '"page" must be a whole number.'],
    ]) {
      const { status, body } = await guest.get(api + query);
      expect([query, status, body.error]).toEqual([query, 400, complaint]);
    }
  });

  test("GET /files/dir/*path: path", async () => {
    for (const value of ["a%00b", "a%2F..%2Fb", "a%2F%2Fb", "a%5Cb", "%FF", "%zz", "x".repeat(256), "d/".repeat(65)]) {
      expectRefusal(value, await guest.get(`${api}/files/dir/${value}`), "path");
    }
  });
});

/** The values that a form can contain: well-formed text. */
const strings = (wrong: Wrong) =>
  wrong.filter((row): row is [string, string] => typeof row[1] === "string" && row[1].isWellFormed());

describe("an invalid form field is refused by name, and nothing is stored", () => {
  const upload: Part = { name: "file", filename: "new.txt", value: "bytes" };
  const makesDirectory: Part = { name: "isDirectory", value: "true" };

  test.each<[string, Part[], [string, string][]]>([
    ["path", [upload], strings([...path, ["with NUL", "a\0b"]])],
    ["path", [makesDirectory, { name: "name", value: "New" }], strings([...path, ["with NUL", "a\0b"]])],
    ["name", [makesDirectory], strings(name)],
    [
      "isDirectory",
      [upload],
      strings([
        ["blank", " "],
        ["2", "2"],
        ["yes", "yes"],
        ["NUL", "true\0"],
      ]),
    ],
    [
      "onConflict",
      [upload],
      strings([
        ["empty", ""],
        ["unknown", "overwrite"],
        ["Rename", "Rename"],
        ["NUL", "fail\0"],
      ]),
    ],
  ])("POST /files: %s with %j", async (field, others, wrong) => {
    const before = await snapshot();
    for (const [what, value] of wrong) {
      const part = { name: field, value };
      for (const parts of [
        [part, ...others],
        [...others, part],
      ]) {
        expectRefusal(what, await owner.request("POST", `${api}/files`, form(...parts)), field);
      }
    }
    expect(await snapshot()).toEqual(before);
  });

  test("POST /files: the filename", async () => {
    const before = await snapshot();
    for (const filename of ["", " ", ".", "..", "a\tb", "\u007f", `${"ü".repeat(126)}.txt`]) {
      const { status, body } = await owner.request("POST", `${api}/files`, form({ ...upload, filename }));
      expect([filename, status]).toEqual([filename, 400]);
      expect(body.error).toContain("file");
    }
    expect(await snapshot()).toEqual(before);
  });
});
