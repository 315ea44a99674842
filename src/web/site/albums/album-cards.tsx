/** @jsxImportSource hono/jsx */
import type { CountedAlbum } from "../../../content/albums/shown.ts";
import type { Visit } from "../page.ts";
import { NoPicture, Picture } from "../photos/picture.tsx";
import { commonTexts } from "../texts/common.ts";
import { contentLine } from "./content-line.ts";

type AlbumCardsProps = {
  albums: CountedAlbum[];
  visit: Pick<Visit, "links" | "language">;
  /** Whether the first cover is what a visitor sees first on the page. */
  isFirst?: boolean;
  /** The level of the names. */
  heading?: "h2" | "h3";
};

/** Albums with their covers, and what is in them. */
export function AlbumCards({
  albums,
  visit: { links, language },
  isFirst = false,
  heading: Heading = "h2",
}: AlbumCardsProps) {
  const t = commonTexts[language];
  const firstCover = isFirst ? albums.find(({ cover }) => cover) : undefined;
  return (
    <ul class="cards" data-list>
      {albums.map((album) => (
        <li class="card">
          <a class="card-picture" href={links.album(album)} tabindex={-1} aria-hidden="true">
            {album.cover ? (
              <Picture
                photo={album.cover}
                alt=""
                links={links}
                language={language}
                sizes="(min-width: 60em) 400px, (min-width: 40em) 50vw, 100vw"
                isFirst={album === firstCover}
              />
            ) : (
              <NoPicture alt="" />
            )}
          </a>
          <Heading>
            <a href={links.album(album)} dir="auto">
              {album.name}
            </a>
          </Heading>
          <p class="meta">
            {contentLine(album, language)}
            {album.visibility === "private" ? <span class="chip">{t.private}</span> : null}
          </p>
        </li>
      ))}
    </ul>
  );
}
