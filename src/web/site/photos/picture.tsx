/** @jsxImportSource hono/jsx */
import type { Photo } from "../../../content/photos/photo.ts";
import type { Language } from "../language.ts";
import type { Links } from "../links.ts";
import { photoTexts } from "../texts/photos.ts";
import { printDuration } from "./format.ts";
import { altOf } from "../photo-name.ts";

type PictureProps = {
  photo: Photo;
  links: Links;
  language: Language;
  /** How wide it is shown, as in the attribute `sizes`. Where the browser can, it measures pictures that it loads later. */
  sizes: string;
  /** The first picture that a visitor sees is loaded before all others. */
  isFirst?: boolean;
  /** Pictures that are not in view when the page opens are loaded when the visitor comes near them. */
  isInView?: boolean;
  /** Without one, the alternative text of the photo, or its name. Empty if the text beside the picture says the same. */
  alt?: string;
  class?: string;
};

/** The picture of a photo in the width that the browser needs: for a video, its poster; without one, a placeholder. */
export function Picture({
  photo,
  links,
  sizes,
  language,
  alt = altOf(photo, language),
  class: name,
  ...props
}: PictureProps) {
  const { variants, thumbhash } = photo;
  const { isFirst = false, isInView = isFirst } = props;
  const largest = variants.at(-1);
  if (!largest) {
    const preparing = photo.isPreparing ? { url: links.api(`/api/v1/photos/${photo.id}`), sizes } : undefined;
    return <NoPicture kind={photo.kind} alt={alt} class={name} preparing={preparing} />;
  }
  const usual = variants.find(({ width }) => width >= 640) ?? largest;
  return (
    <img
      class={name}
      src={links.api(usual.url)}
      srcset={variants.map(({ url, width }) => `${links.api(url)} ${width}w`).join(", ")}
      sizes={isInView ? sizes : `auto, ${sizes}`}
      width={largest.width}
      height={largest.height}
      alt={alt}
      loading={isInView ? undefined : "lazy"}
      fetchpriority={isFirst ? "high" : undefined}
      decoding="async"
      data-thumbhash={thumbhash}
    />
  );
}

type NoPictureProps = {
  kind?: Photo["kind"];
  alt: string;
  class?: string | undefined;
  /** Where the photo is read when its picture is ready, and how wide it is shown then. */
  preparing?: { url: string; sizes: string } | undefined;
};

/** Stands for a photo whose file is missing or cannot be decoded, a video without a poster, or an album without photos. */
export function NoPicture({ kind = "image", alt, class: name = "", preparing }: NoPictureProps) {
  return (
    <span
      class={`no-picture ${name}`.trim()}
      role={alt ? "img" : undefined}
      aria-label={alt || undefined}
      data-preparing={preparing?.url}
      data-sizes={preparing?.sizes}
    >
      <svg viewBox="0 0 24 24" width="32" height="32" aria-hidden="true" focusable="false">
        {kind === "video" ? (
          <path d="M8 5.5v13l10.5-6.5z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
        ) : (
          <path
            d="M3.5 5.5h17v13h-17zM3.5 16l5-5 4.5 4.5 2.5-2.5 5 5M15.5 9.2h.01"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
            stroke-linejoin="round"
            stroke-linecap="round"
          />
        )}
      </svg>
    </span>
  );
}

/** The marks on a picture in a list: that it is a video or private. */
export function Badges({ photo, language }: { photo: Photo; language: Language }) {
  const t = photoTexts[language];
  const { kind, duration, motion, visibility } = photo;
  return (
    <>
      {kind === "video" ? (
        <span class="badge">
          <span class="visually-hidden">{t.video} </span>
          <span aria-hidden="true">▶ </span>
          {duration === null ? "" : printDuration(duration)}
        </span>
      ) : null}
      {motion ? <span class="badge">{t.motion}</span> : null}
      {visibility === "private" ? <span class="badge is-private">{t.private}</span> : null}
    </>
  );
}
