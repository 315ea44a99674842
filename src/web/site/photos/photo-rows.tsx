/** @jsxImportSource hono/jsx */
import type { Photo } from "../../../content/photos/photo.ts";
import type { Visit } from "../page.ts";
import { photoTexts } from "../texts/photos.ts";
import { type AlbumNames, altOf, nameOf } from "../photo-name.ts";
import { downloadURL, factsOf } from "./format.ts";
import { Badges, Picture } from "./picture.tsx";
import { ratioClass, ratioOf } from "../ratio.ts";

type PhotoRowsProps = {
  photos: Photo[];
  visit: Pick<Visit, "links" | "language">;
  /** The album in which the photos are shown: their pages lead on within it. */
  albumID?: number;
  /** Whether the first photo is what a visitor sees first on the page. */
  isFirst?: boolean;
  /** What else names photos without titles. */
  albums?: AlbumNames;
  /** What is shown above each photo, such as the month that begins with it. */
  labels?: (string | null)[];
};

/** Photos as rows of equal height. A click opens the lightbox or, without script, the page of the photo. */
export function PhotoRows({ photos, visit, albumID, isFirst = false, albums, labels = [] }: PhotoRowsProps) {
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
            data-caption={nameOf(photo, language, albums)}
            data-facts={factsOf(photo, language) || undefined}
            data-download={downloadURL(photo, links)}
            data-video={photo.kind === "video" && photo.file?.url ? links.api(photo.file.url) : undefined}
          >
            <Picture
              photo={photo}
              links={links}
              language={language}
              alt={altOf(photo, language, albums)}
              sizes={sizesOf(photo)}
              isFirst={isFirst && index === 0}
              isInView={isFirst && index < photosInView}
            />
            {label === null ? null : <span class="label">{label}</span>}
            <Badges photo={photo} language={language} />
          </a>
        );
      })}
    </div>
  );
}

/** Any window shows this many photos at once. */
const photosInView = 4;

/** Rows are a little higher than `--row` in the styles, which the photos of a row outgrow together. */
function sizesOf(photo: Photo): string {
  const ratio = ratioOf(photo);
  return `(min-width: 40em) ${Math.round(ratio * 275)}px, ${Math.round(ratio * 105)}px`;
}
