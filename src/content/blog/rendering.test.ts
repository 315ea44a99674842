// Runs on other engines only with TEST_LONG: where a text is rendered does not depend on the engines.
import { expect, test } from "bun:test";
import { watchRenderProcesses } from "../../../tests/kit/render-processes.ts";
import { useServer } from "../../../tests/kit/use-server.ts";

const blog = "/api/v1/blog";
const server = useServer();
const { owner } = server.people();

test.if(process.platform === "linux")("writing an ordinary post starts no process", async () => {
  const listStarted = watchRenderProcesses();
  const content = "## We arrived *late*\n\n- [by train](https://example.org)\n- on foot";
  const { body: post } = await owner.post(blog, { title: "Post", content });
  expect(post.html).toContain('<a href="https://example.org" rel="nofollow noopener">by train</a>');
  await owner.put(`${blog}/${post.id}`, { content: `**Changed** ${"many words ".repeat(800)}` });
  await owner.post(`${blog}/preview`, { content: "1 < 2" });
  await owner.post(`${blog}/${post.id}/revisions/1/restore`, {});
  expect(listStarted()).toEqual([]);

  await owner.put(`${blog}/${post.id}`, { content: "<kbd>A</kbd>" });
  expect(listStarted()).toHaveLength(1);
});
