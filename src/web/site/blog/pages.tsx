/** @jsxImportSource hono/jsx */
import { getPostPageBySlug, type PostPage } from "../../../content/blog/post-page.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Trash } from "../../../core/trash/trash.ts";
import { missing } from "../../../platform/errors.ts";
import { findAuthors } from "../author.tsx";
import { discussablePages } from "../comments/pages.ts";
import { discussionQuery, toShown } from "../comments/discussion.ts";
import { type Page, page, type PageCall, redirect } from "../page.ts";
import { Pager } from "../pager.tsx";
import { nameOf } from "../photo-name.ts";
import { blogTexts } from "../texts/blog.ts";
import { commonTexts } from "../texts/common.ts";
import { listHead, pagerLinks } from "../for-programs/head.tsx";
import { PostCards } from "./post-card.tsx";
import { postListQuery, readPostList } from "./post-list.ts";
import { topicOfPost, viewPost } from "./post-page.tsx";

const postsPerPage = 12;

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
      query: discussionQuery,
      async handle({ query, params, ...visit }) {
        const { viewer, language, links } = visit;
        const slug = params.slug ?? "";
        const post = await getPostPageBySlug(db, viewer, slug, { nameOf: (photo) => nameOf(photo, language) });
        if (post.slug !== slug || post.kind === "page") return redirect(links.post(post) + visit.search, 308);
        return viewPost(db, visit, post, toShown(query));
      },
    }),

    ...discussablePages(db, trash, {
      path: "/blog/:slug",
      get: getDiscussedPost,
      about: topicOfPost,
      view: (call, post, shown) => viewPost(db, call, post, shown),
    }),
  ];

  /** Throws if there is no such post; pages have neither comments nor hearts. */
  async function getDiscussedPost({ params, viewer, language }: PageCall<null>): Promise<PostPage> {
    const slug = params["slug"] ?? "";
    const post = await getPostPageBySlug(db, viewer, slug, { nameOf: (photo) => nameOf(photo, language) });
    if (post.kind === "page") throw missing("comments on a page");
    return post;
  }
}
