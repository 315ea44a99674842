/** @jsxImportSource hono/jsx */
import type { Photo } from "../../photos/photo.ts";
import type { Visit } from "../page.ts";
import { photoTexts } from "../texts/photos.ts";
import { Badges, Picture } from "./picture.tsx";
import { ratioClass } from "../ratio.ts";

export type PhotoRowsProps = {
  photos: Photo[];
  visit: Pick<Visit, "links" | "language">;
  /** The album in which the photos are shown: their pages lead on within it. */
  albumID?: number;
  /** Whether the first photo is what a visitor sees first on the page. */
  isFirst?: boolean;
  /** What stands over each photo, such as the month that begins with it. */
  labels?: (string | null)[];
};

/** Photos as rows of equal height. A click opens the lightbox or, without script, the page of the photo. */
export function PhotoRows({ photos, visit, albumID, isFirst = false, labels = [] }: PhotoRowsProps) {
  const { links, language } = visit;
  const within = albumID === undefined ? "" : `?album=${albumID}`;
  return (
    <div class="photos" data-list data-texts={JSON.stringify(photoTexts[language].lightbox)}>
      {photos.map((photo, index) => {
        const label = labels[index] ?? null;
        return (
          <a
            class={ratioClass(photo)}
            href={links.photo(photo) + within}
            data-caption={photo.title}
            data-video={photo.kind === "video" && photo.file?.url ? links.api(photo.file.url) : undefined}
          >
            <Picture
              photo={photo}
              links={links}
              sizes="(min-width: 40em) 400px, 50vw"
              isFirst={isFirst && index === 0}
            />
            {label === null ? null : <span class="label">{label}</span>}
            <Badges photo={photo} language={language} />
          </a>
        );
      })}
    </div>
  );
}
