/** @jsxImportSource hono/jsx */
import type { Photo } from "../../../content/photos/photo.ts";
import type { Language } from "../language.ts";
import type { Links } from "../links.ts";
import { photoTexts } from "../texts/photos.ts";
import { type AlbumNames, altOf } from "../photo-name.ts";
import { Picture } from "./picture.tsx";
import { ratioClass } from "../ratio.ts";

type StageProps = { photo: Photo; links: Links; language: Language; albums?: AlbumNames };

/** The picture or the video as large as the window allows. */
export function Stage({ photo, links, language, albums }: StageProps) {
  const t = photoTexts[language];
  const alt = altOf(photo, language, albums);
  return (
    <div class="stage">
      <div class={`${ratioClass(photo)} frame`}>
        {photo.kind === "video" && photo.file?.url ? (
          <Video photo={photo} links={links} label={alt} />
        ) : (
          <Picture
            photo={photo}
            links={links}
            language={language}
            sizes={widthOf(photo)}
            alt={alt}
            class={photo.variants.length > 0 ? "u-photo" : ""}
            isFirst
          />
        )}
      </div>
      {photo.kind === "video" && !photo.file ? <p class="quiet">{t.noVideo}</p> : null}
      {photo.kind === "image" && photo.variants.length === 0 ? (
        <p class="quiet" role="status" data-preparing-note={photo.isPreparing ? "" : undefined}>
          {photo.isPreparing ? t.preparing : t.noPicture}
        </p>
      ) : null}
      {photo.motion ? (
        <details class="motion">
          <summary>{t.playMotion}</summary>
          <video src={links.api(photo.motion.url)} controls loop playsinline preload="none" />
        </details>
      ) : null}
    </div>
  );
}

function Video({ photo, links, label }: { photo: Photo; links: Links; label: string }) {
  const { file, variants, width, height } = photo;
  const poster = variants.find((variant) => variant.width >= 1280) ?? variants.at(-1);
  return (
    <video
      controls
      playsinline
      preload="metadata"
      width={width}
      height={height}
      poster={poster && links.api(poster.url)}
      aria-label={label}
    >
      <source src={links.api(file?.url ?? "")} type={file?.contentType ?? undefined} />
    </video>
  );
}

/** The width of the whole window, unless its height is the limit: see `.stage` in the styles. */
function widthOf({ variants }: Photo): string {
  const { width, height } = variants.at(-1) ?? { width: 3, height: 2 };
  return `min(100vw, ${Math.ceil((85 * width) / height)}vh)`;
}
