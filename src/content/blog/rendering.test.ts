// Runs on other engines only with TEST_LONG: where a text is rendered does not depend on the engines.
import { expect, test } from "bun:test";
import { listRenderProcesses } from "../../../tests/render-processes.ts";
import { useServer } from "../../../tests/use-server.ts";

const blog = "/api/v1/blog";
const server = useServer();
const { owner } = server.people();

test.if(process.platform === "linux")("writing an ordinary post starts no process", async () => {
  const before = listRenderProcesses();
  const content = "## We arrived *late*\n\n- [by train](https://example.org)\n- on foot";
  const { body: post } = await owner.post(blog, { title: "Post", content });
  expect(post.html).toContain('<a href="https://example.org" rel="nofollow noopener">by train</a>');
  await owner.put(`${blog}/${post.id}`, { content: `**Changed** ${"many words ".repeat(800)}` });
  await owner.post(`${blog}/preview`, { content: "1 < 2" });
  await owner.post(`${blog}/${post.id}/revisions/1/restore`, {});
  expect(listRenderProcesses()).toEqual(before);

  await owner.put(`${blog}/${post.id}`, { content: "<kbd>A</kbd>" });
  expect(listRenderProcesses()).toHaveLength(before.length + 1);
});
