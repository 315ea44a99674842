// Runs on other engines only with TEST_LONG: how a long text is rendered does not depend on the engines.
import { expect, test } from "bun:test";
import { useServer } from "../../../tests/kit/use-server.ts";
import { testLong } from "../../../tests/kit/long.ts";

const blog = "/api/v1/blog";
const longest = 1_000_000;
const paragraph = `It was a dark and *stormy* night. ${"The rain fell in torrents. ".repeat(12)}\n\n`;
const novel = `# Chapter one\n\n${paragraph.repeat(3_000)}`.slice(0, longest);

const server = useServer();
const owner = server.person("owner");
const { guest } = server;

testLong("a post of a million characters is written, read, edited and restored", async () => {
  const content = novel.padEnd(longest, ".");
  const { status, body: post } = await owner.post(blog, { title: "Novel", content, tags: ["long"] });
  expect([status, post.content.length]).toEqual([201, longest]);
  expect(post.html).toContain("dark and <em>stormy</em> night");
  expect((await guest.get(`${blog}/${post.id}`)).body.content).toBe(content);
  expect((await guest.get(`/blog/${post.slug}`)).body).toContain("dark and <em>stormy</em> night");
  const edited = `An ${content.slice(3)}`;
  expect((await owner.put(`${blog}/${post.id}`, { content: edited })).body.content).toBe(edited);
  expect((await owner.get(`${blog}/${post.id}/revisions/1`)).body.content).toBe(content);
  const restored = await owner.post(`${blog}/${post.id}/revisions/1/restore`);
  expect([restored.status, restored.body.content === content]).toEqual([200, true]);
  expect((await owner.post(`${blog}/preview`, { content })).body.html).toBe(post.html);
  for (const path of ["/blog", "/tags/long", "/feed.xml", "/people/owner"])
    expect((await guest.get(path)).body).toContain("Novel");
});

testLong.each([
  ["one more", "x".repeat(longest + 1)],
  ["one more of four bytes", "😀".repeat(longest + 1)],
])("%s is refused", async (_name, content) => {
  const { status, body } = await owner.post(blog, { title: "Too long", content });
  expect([status, body.error]).toEqual([400, '"content" must have at most 1000000 characters.']);
});

testLong.each([
  ["Latin", "x".repeat(longest)],
  ["Han", "漢".repeat(longest)],
  ["four bytes a character", "😀".repeat(longest)],
  ["line breaks and quotes, which are escaped in JSON", `a\n"`.repeat(longest / 3)],
])("the longest text of %s fits into a body", async (_name, content) => {
  const { status, body } = await owner.post(blog, { title: "Long", content });
  expect([status, body.content?.length]).toEqual([201, content.length]);
  expect((await guest.get(`/blog/${body.slug}`)).status).toBe(200);
});

test("a text whose characters are sent as escapes may be longer than a body: the response says so", async () => {
  const { status, body } = await owner.post(blog, `{"title":"Escapes","content":"${"\\u6f22".repeat(longest)}"}`);
  expect([status, body.error]).toEqual([400, expect.stringContaining("4194304")]);
});
