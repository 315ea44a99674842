import { getPostPageBySlug } from "../../../content/blog/post-page.ts";
import { nameOf } from "../photo-name.ts";
import { missing } from "../../../platform/errors.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { type Page, page, redirect } from "../page.ts";
import { viewPost } from "./post-page.tsx";

/** Pages that people have written, where nothing else of the site is. This comes after all others. No slug has a dot. */
export const writtenPage = (db: Reader): Page =>
  page({
    path: "/:slug{[^/.]+}",
    async handle({ params, ...visit }) {
      const slug = params.slug ?? "";
      const post = await getPostPageBySlug(db, visit.viewer, slug, {
        nameOf: (photo) => nameOf(photo, visit.language),
      });
      if (post.kind !== "page") throw missing(`page with the slug "${slug}"`);
      return post.slug === slug ? viewPost(db, visit, post) : redirect(visit.links.post(post), 308);
    },
  });
