/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { missing } from "../../platform/errors.ts";
import { listPhotosByKey } from "../../content/photos/list-photos.ts";
import type { Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { encodeCursor } from "../../platform/http/cursor.ts";
import { tagKey, tagQuery } from "../../core/records/tags.ts";
import { findAuthors } from "./author.tsx";
import { PostCards } from "./blog/post-card.tsx";
import { postListQuery, readPostList } from "./blog/post-list.ts";
import { listRequest, readAll } from "./cursor.ts";
import { type Page, page } from "./page.ts";
import { Pager } from "./pager.tsx";
import { findAlbumNames } from "./photo-name.ts";
import { PhotoRows } from "./photos/photo-rows.tsx";
import { blogTexts } from "./texts/blog.ts";
import { commonTexts } from "./texts/common.ts";
import { listHead } from "./for-programs/head.tsx";

const postsPerPage = 12;
const photosPerPage = 48;

/** Posts and photos with a tag. */
export function tagPages(db: Reader): Page[] {
  return [
    page({
      path: "/tags/:tag",
      query: postListQuery.extend({ photos: z.string().max(4096).optional() }),
      async handle({ query, params, ...visit }) {
        const { language, links } = visit;
        const [t, common] = [blogTexts[language], commonTexts[language]];
        const tag = readTag(params.tag);
        const list = { name: `photos ${tagKey(tag)}`, sort: byID, order: "desc", size: photosPerPage } as const;
        const [{ posts, newer, older }, photoPage] = await Promise.all([
          readPostList(db, query, { size: postsPerPage, tag }),
          listPhotosByKey(db, null, { tag }, listRequest(list, query.photos)),
        ]);
        const [photos, authors] = await Promise.all([readAll(photoPage.items), findAuthors(db, posts)]);
        const albums = await findAlbumNames(db, null, photos);
        const isEmpty = posts.length === 0 && photos.length === 0;
        const isLaterPage = Boolean(query.cursor || query.newer || query.photos);
        // The pages of private records lead their owners here, too.
        if (isEmpty && !isLaterPage && !visit.viewer) throw missing(`public record with the tag "${tag}"`);
        const name = spellingOf(tag, [...posts, ...photos]);
        const path = links.tag(name);
        const title = `#${name}`;
        const olderPhotos = photoPage.next
          ? `?${new URLSearchParams({ photos: encodeCursor(list.name, photoPage.next) }).toString()}`
          : null;
        return {
          title,
          description: t.tagged(name),
          canonical: isLaterPage || isEmpty ? null : path,
          head: listHead(visit, { path, title, description: t.tagged(name) }),
          body: (
            <div class="wide">
              <header class="page-head">
                <h1 dir="auto">{title}</h1>
              </header>
              {isEmpty ? <p class="empty">{t.nothingTagged}</p> : null}
              {posts.length === 0 || query.photos ? null : (
                <section aria-label={t.posts}>
                  <PostCards posts={posts} visit={visit} authors={authors} isFirst />
                  <Pager
                    label={t.posts}
                    previous={newer && [newer, common.newer]}
                    next={older && [older, common.older]}
                  />
                </section>
              )}
              {photos.length === 0 || query.cursor || query.newer ? null : (
                <section aria-labelledby="photos-title">
                  <div class="section-head">
                    <h2 id="photos-title">{t.photos}</h2>
                  </div>
                  <PhotoRows photos={photos} visit={visit} albums={albums} isFirst={posts.length === 0} />
                  <Pager
                    label={t.photos}
                    previous={query.photos ? [path, t.newerPhotos] : null}
                    next={olderPhotos && [olderPhotos, t.olderPhotos]}
                  />
                </section>
              )}
            </div>
          ),
        };
      },
    }),
  ];
}

/** Throws if it is not a tag that a record could have. */
function readTag(text: string | undefined): string {
  const { success, data } = tagQuery.required().safeParse({ tag: text?.normalize("NFC") });
  if (!success) throw missing("such tag");
  return data.tag;
}

/** The tag as one of the records has it, which may differ in upper and lower case. */
function spellingOf(tag: string, records: { tags: string[] }[]): string {
  const key = tagKey(tag);
  return records.flatMap(({ tags }) => tags).find((other) => tagKey(other) === key) ?? tag;
}
