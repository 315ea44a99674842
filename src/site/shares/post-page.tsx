/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { PostWithHTML } from "../../blog/post.ts";
import { formatDate } from "../browse/format.ts";
import type { View, Visit } from "../page.ts";
import { Picture } from "../photos/picture.tsx";

/** A post, also a draft, without its comments. */
export function postView({ links, language }: Visit, post: PostWithHTML): View {
  const { title, cover, publishedAt, html } = post;
  return {
    title,
    canonical: null,
    body: (
      <article class="post">
        <header class="column">
          <h1 dir="auto">{title}</h1>
          {publishedAt === null ? null : (
            <p class="quiet">
              <time datetime={publishedAt}>{formatDate(publishedAt, language)}</time>
            </p>
          )}
        </header>
        {cover ? (
          <figure class="wide">
            <Picture photo={cover} links={links} sizes="(min-width: 75rem) 75rem, 100vw" isFirst />
          </figure>
        ) : null}
        <div class="column prose" dir="auto">
          {raw(html)}
        </div>
      </article>
    ),
  };
}
