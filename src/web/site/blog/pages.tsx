/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { getPostPageBySlug } from "../../../content/blog/post-page.ts";
import type { Database } from "../../../platform/database/database.ts";
import { queryInteger } from "../../../platform/http/validate.ts";
import type { Trash } from "../../../core/trash/trash.ts";
import { findAuthors } from "../author.tsx";
import { type Page, page, redirect } from "../page.ts";
import { Pager } from "../pager.tsx";
import { nameOf } from "../photo-name.ts";
import { blogTexts } from "../texts/blog.ts";
import { commonTexts } from "../texts/common.ts";
import { listHead, pagerLinks } from "../for-programs/head.tsx";
import { commentPages } from "./comment-pages.ts";
import { PostCards } from "./post-card.tsx";
import { postListQuery, readPostList } from "./post-list.ts";
import { viewPost } from "./post-page.tsx";

const postsPerPage = 12;
const commentID = queryInteger(Number.MAX_SAFE_INTEGER).optional();

export function blogPages(db: Database, trash: Trash): Page[] {
  return [
    page({
      path: "/blog",
      query: postListQuery,
      async handle({ query, ...visit }) {
        const { language } = visit;
        const [t, common] = [blogTexts[language], commonTexts[language]];
        const { posts, newer, older } = await readPostList(db, query, { size: postsPerPage });
        const authors = await findAuthors(db, posts);
        const isFirstPage = newer === null;
        return {
          title: t.title,
          description: t.description,
          section: "blog",
          canonical: isFirstPage ? "/blog" : query.newer ? null : `/blog?cursor=${query.cursor ?? ""}`,
          head: (
            <>
              {listHead(visit, { path: "/blog", title: t.title, description: t.description, feeds: ["posts"] })}
              {pagerLinks({ previous: newer, next: older })}
            </>
          ),
          body: (
            <div class="wide">
              <header class="page-head">
                <h1>{t.title}</h1>
              </header>
              {posts.length === 0 ? (
                <p class="empty">{isFirstPage && !query.cursor ? t.empty : t.emptyPage}</p>
              ) : (
                <PostCards posts={posts} visit={visit} authors={authors} isFirst />
              )}
              <Pager label={t.title} previous={newer && [newer, common.newer]} next={older && [older, common.older]} />
            </div>
          ),
        };
      },
    }),

    page({
      path: "/blog/:slug",
      query: z.object({ comments: commentID, reply: commentID, edit: commentID }),
      async handle({ query, params, ...visit }) {
        const { viewer, language, links } = visit;
        const slug = params.slug ?? "";
        const post = await getPostPageBySlug(db, viewer, slug, { nameOf: (photo) => nameOf(photo, language) });
        if (post.slug !== slug || post.kind === "page") return redirect(links.post(post) + visit.search, 308);
        const { comments: after, reply, edit } = query;
        const draft = reply
          ? ({ form: "reply", id: reply } as const)
          : edit
            ? ({ form: "edit", id: edit } as const)
            : undefined;
        return viewPost(db, visit, post, { after, draft });
      },
    }),

    ...commentPages(db, trash),
  ];
}
