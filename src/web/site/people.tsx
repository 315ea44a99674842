/** @jsxImportSource hono/jsx */
import { byAlbumOrder } from "../../content/albums/move-album.ts";
import { countAlbumsIn, isShownTo } from "../../content/albums/shown.ts";
import { listAlbumsByKey } from "../../content/albums/store.ts";
import { byPublication } from "../../content/blog/store.ts";
import { listPostSummaries } from "../../content/blog/summaries.ts";
import { missing } from "../../platform/errors.ts";
import { listPhotosByKey } from "../../content/photos/list-photos.ts";
import type { Reader } from "../../platform/database/database.ts";
import { findPeople } from "../../features/profiles/store.ts";
import { findUserByName } from "../../core/users/store.ts";
import { AlbumCards } from "./albums/album-cards.tsx";
import { ProfileLinks, shownName } from "./author.tsx";
import { Avatar } from "./avatar.tsx";
import { PostCards } from "./blog/post-card.tsx";
import { newest, readAll } from "./cursor.ts";
import { Day } from "./day.tsx";
import { type Page, page } from "./page.ts";
import { findAlbumNames } from "./photo-name.ts";
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
          listAlbumsByKey(db, null, owner, {
            sort: byAlbumOrder,
            order: "asc",
            after: null,
            size: 6,
            only: isShownTo(null),
          }),
        ]);
        const [posts, photos, albums] = await Promise.all([
          readAll(postPage.items),
          readAll(photoPage.items),
          readAll(albumPage.items).then((found) => countAlbumsIn(db, null, found)),
        ]);
        const names = await findAlbumNames(db, null, photos);
        const isEmpty = posts.length + photos.length + albums.length === 0;
        // Who has an account is not public: without public records, the page is for the person and for admins.
        const { viewer } = visit;
        const isOwn = viewer !== null && (viewer.id === user.id || viewer.role === "admin");
        if (isEmpty && !isOwn) throw missing("such person");
        const person = (await findPeople(db, [user.id])).get(user.id);
        if (!person) throw missing("such person");
        // Who has published nothing has no words here: anybody who may comment could advertise.
        const shown = isEmpty ? { ...person, about: "", links: [] } : person;
        const name = shownName(person);
        return {
          title: name,
          description: shown.about || undefined,
          canonical: isEmpty ? null : links.person(username),
          head: isEmpty ? null : personHead(visit, person),
          body: (
            <div class="wide">
              <header class="page-head person h-card">
                <a class="u-url u-uid" href={links.person(username)} hidden />
                <Avatar person={person} links={links} size={112} property="u-photo" />
                <h1 class="p-name" dir="auto">
                  {name}
                </h1>
                {shown.about === "" ? null : (
                  <p class="about p-note" dir="auto">
                    {shown.about}
                  </p>
                )}
                <ProfileLinks of={shown} />
                <p class="quiet">
                  {person.displayName === null ? null : <span dir="auto">@{username} · </span>}
                  {t.since} <Day time={user.createdAt} language={language} />
                </p>
              </header>
              {isEmpty ? <p class="empty">{t.nothing(name)}</p> : null}
              {posts.length === 0 ? null : (
                <section aria-labelledby="posts-title">
                  <div class="section-head">
                    <h2 id="posts-title">{t.posts}</h2>
                  </div>
                  <PostCards posts={posts} visit={visit} authors={new Map()} heading="h3" isFirst />
                </section>
              )}
              {photos.length === 0 ? null : (
                <section aria-labelledby="photos-title">
                  <div class="section-head">
                    <h2 id="photos-title">{t.photos}</h2>
                  </div>
                  <PhotoRows photos={photos} visit={visit} albums={names} isFirst={posts.length === 0} />
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
