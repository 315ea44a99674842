/** @jsxImportSource hono/jsx */
import type { Album } from "../../albums/album.ts";
import type { Visit } from "../page.ts";
import { Picture } from "../photos/picture.tsx";
import { commonTexts } from "../texts/common.ts";

type AlbumCardsProps = {
  albums: Album[];
  visit: Pick<Visit, "links" | "language">;
  /** Whether the first cover is what a visitor sees first on the page. */
  isFirst?: boolean;
};

/** Albums with their covers and the numbers of their photos. */
export function AlbumCards({ albums, visit: { links, language }, isFirst = false }: AlbumCardsProps) {
  const t = commonTexts[language];
  return (
    <ul class="albums" data-list>
      {albums.map((album, index) => (
        <li>
          <a href={links.album(album)}>
            <span class="cover">
              {album.cover ? (
                <Picture
                  photo={album.cover}
                  alt=""
                  links={links}
                  sizes="(min-width: 60em) 380px, (min-width: 36em) 50vw, 100vw"
                  isFirst={isFirst && index === 0}
                />
              ) : null}
            </span>
            <span class="name" dir="auto">
              {album.name}
            </span>
          </a>
          <span class="quiet">
            {t.photoCount(album.photoCount)}
            {album.visibility === "private" ? <span class="chip">{t.private}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
