/** @jsxImportSource hono/jsx */
import { byAlbumOrder } from "../../content/albums/move-album.ts";
import { countAlbumsIn, isShownTo } from "../../content/albums/shown.ts";
import { listAlbumsByKey } from "../../content/albums/store.ts";
import { byPublication } from "../../content/blog/store.ts";
import { listPostSummaries } from "../../content/blog/summaries.ts";
import { hasComment } from "../../content/comments/store.ts";
import { missing } from "../../platform/errors.ts";
import { listPhotosByKey } from "../../content/photos/list-photos.ts";
import type { Reader } from "../../platform/database/database.ts";
import { findUserByName } from "../../core/users/store.ts";
import { AlbumCards } from "./albums/album-cards.tsx";
import { Avatar } from "./avatar.tsx";
import { PostCards } from "./blog/post-card.tsx";
import { newest, readAll } from "./cursor.ts";
import { Day } from "./day.tsx";
import { type Page, page } from "./page.ts";
import { PhotoRows } from "./photos/photo-rows.tsx";
import { peopleTexts } from "./texts/people.ts";
import { personHead } from "./for-programs/head.tsx";

/** Who someone is here, and the newest of what they have published. */
export function peoplePages(db: Reader): Page[] {
  return [
    page({
      path: "/people/:username",
      async handle({ params, ...visit }) {
        const { language, links } = visit;
        const t = peopleTexts[language];
        const user = await findUserByName(db, params.username ?? "");
        if (!user) throw missing("such person");
        const { username } = user;
        const owner = { owner: String(user.id) };
        const [postPage, photoPage, albumPage] = await Promise.all([
          listPostSummaries(db, null, owner, newest(6, byPublication)),
          listPhotosByKey(db, null, owner, newest(24)),
          listAlbumsByKey(db, null, owner, { sort: byAlbumOrder, order: "asc", after: null, size: 6 }, isShownTo(null)),
        ]);
        const [posts, photos, albums] = await Promise.all([
          readAll(postPage.items),
          readAll(photoPage.items),
          readAll(albumPage.items).then((found) => countAlbumsIn(db, null, found)),
        ]);
        const isEmpty = posts.length + photos.length + albums.length === 0;
        // Who has an account is not public: without public records, the page is for those who see a comment, and for admins.
        const { viewer } = visit;
        const isOwn = viewer !== null && (viewer.id === user.id || viewer.role === "admin");
        if (isEmpty && !isOwn && !(await hasComment(db, viewer, user.id))) throw missing("such person");
        return {
          title: username,
          canonical: isEmpty ? null : links.person(username),
          head: personHead(visit, username),
          body: (
            <div class="wide">
              <header class="page-head person">
                <Avatar username={username} />
                <h1 dir="auto">{username}</h1>
                <p class="quiet">
                  {t.since} <Day time={user.createdAt} language={language} />
                </p>
              </header>
              {isEmpty ? <p class="empty">{t.nothing(username)}</p> : null}
              {posts.length === 0 ? null : (
                <section aria-labelledby="posts-title">
                  <div class="section-head">
                    <h2 id="posts-title">{t.posts}</h2>
                  </div>
                  <PostCards posts={posts} visit={visit} usernames={new Map()} heading="h3" isFirst />
                </section>
              )}
              {photos.length === 0 ? null : (
                <section aria-labelledby="photos-title">
                  <div class="section-head">
                    <h2 id="photos-title">{t.photos}</h2>
                  </div>
                  <PhotoRows photos={photos} visit={visit} isFirst={posts.length === 0} />
                </section>
              )}
              {albums.length === 0 ? null : (
                <section aria-labelledby="albums-title">
                  <div class="section-head">
                    <h2 id="albums-title">{t.albums}</h2>
                  </div>
                  <AlbumCards albums={albums} visit={visit} />
                </section>
              )}
            </div>
          ),
        };
      },
    }),
  ];
}
