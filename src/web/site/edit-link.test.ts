// Runs on other engines only with TEST_LONG: the pages use the same statements as the tests of the API.
import { beforeAll, expect, test } from "bun:test";
import { png } from "../../../tests/kit/files/png.ts";
import { password } from "../../../tests/kit/people.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const paths: Record<string, string> = {};

const server = useServer();
const people = server.people();
server.person("reader", "reader");
beforeAll(async () => {
  const { owner } = people;
  const { body: file } = await owner.upload("a.png", png(40, 30));
  const { body: photo } = await owner.post("/api/v1/photos", { title: "Dunes", fileID: file.id });
  const { body: album } = await owner.post("/api/v1/albums", { name: "Sea" });
  const { body: post } = await owner.post("/api/v1/blog", { title: "Tide", content: "…" });
  paths[`/photos/${photo.id}`] = `/studio/photos/${photo.id}`;
  paths[`/albums/${album.id}-sea`] = `/studio/albums/${album.id}`;
  paths[`/blog/${post.slug}`] = `/studio/blog/${post.id}`;
});

async function open(path: string, username: string | null, language = "en"): Promise<string> {
  const headers: Record<string, string> = { Accept: "text/html", "Accept-Language": language };
  if (username) {
    const signedIn = await fetch(`${server.url}/session`, {
      method: "POST",
      body: new URLSearchParams({ username, password }),
      headers: { "Sec-Fetch-Site": "same-origin" },
      redirect: "manual",
    });
    headers.Cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  }
  const response = await fetch(server.url + path, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

test("the pages of a record lead those who may change it to the studio", async () => {
  for (const [path, target] of Object.entries(paths)) {
    const link = `href="${target}" rel="nofollow">Edit</a>`;
    // In this order, because what guests get must not be what others got before.
    for (const [username, hasLink] of [
      ["owner", true],
      ["root", true],
      [null, false],
      ["stranger", false],
      ["reader", false],
      ["owner", true],
    ] as const) {
      expect([path, username, (await open(path, username)).includes(link)]).toEqual([path, username, hasLink]);
    }
    expect(await open(path, "owner", "de")).toContain(">Bearbeiten</a>");
  }
});

test("what a share link shows does not lead to the studio", async () => {
  const id = Object.keys(paths)[0]?.split("/").at(-1);
  const { body: share } = await people.owner.post("/api/v1/shares", { kind: "photo", id: Number(id) });
  expect(await open(`/s/${share.token}`, "owner")).not.toContain("/studio/");
});

test("the menu of authors and admins leads to the studio", async () => {
  const link = '<a href="/studio/">Studio</a>';
  for (const [username, hasLink] of [
    ["owner", true],
    ["root", true],
    ["reader", false],
    [null, false],
  ] as const) {
    expect([username, (await open("/", username)).includes(link)]).toEqual([username, hasLink]);
  }
});
