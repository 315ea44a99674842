/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { PostPage } from "../../../content/blog/post-page.ts";
import { fillMarks } from "../../../platform/markdown/page-html.ts";
import { Day } from "../day.tsx";
import type { View, Visit } from "../page.ts";
import { Picture } from "../photos/picture.tsx";
import { blogTexts } from "../texts/blog.ts";

/** A post, also a draft, without its comments. */
export function postView({ links, language, origin }: Visit, post: PostPage): View {
  const { title, cover } = post;
  const publishedAt = post.kind === "page" ? null : post.publishedAt;
  return {
    title,
    canonical: null,
    isPost: true,
    body: (
      <article class="post">
        <header class="column page-head">
          <h1 dir="auto">{title}</h1>
          {publishedAt === null ? null : (
            <p class="meta">
              <Day time={publishedAt} language={language} />
            </p>
          )}
        </header>
        {cover ? (
          <figure class="wide post-cover">
            <Picture photo={cover} links={links} language={language} sizes="(min-width: 76rem) 76rem, 100vw" isFirst />
          </figure>
        ) : null}
        <div class="column prose" dir="auto">
          {raw(fillMarks(post.page, origin, blogTexts[language]))}
        </div>
      </article>
    ),
  };
}
