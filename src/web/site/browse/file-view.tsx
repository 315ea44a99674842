/** @jsxImportSource hono/jsx */
import type { FileRecord } from "../../../content/files/file.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Links } from "../links.ts";
import type { Visit } from "../page.ts";
import { browseTexts } from "../texts/browse.ts";
import { commonTexts } from "../texts/common.ts";
import { printBytes } from "../photos/format.ts";
import { Day } from "../day.tsx";
import { FileIcon } from "./icons.tsx";
import { maxTextBytes, type Preview } from "./preview.ts";

type Props = { visit: Visit; file: FileRecord; preview: Preview; isPrivate: boolean };

/** The page of one file: what it looks like, what is known about it, and its download. */
export function FileView({ visit: { language, links }, file, preview, isPrivate }: Props) {
  const t = browseTexts[language];
  const url = links.api(file.url ?? "");
  return (
    <article class="file-page">
      <header class="file-header">
        <h1 dir="auto">{file.name}</h1>
        {isPrivate ? <span class="chip">{commonTexts[language].private}</span> : null}
      </header>
      <div class="file-preview">
        <Shown file={file} preview={preview} links={links} language={language} />
      </div>
      <dl class="facts">
        <div>
          <dt>{t.size}</dt>
          <dd>{printBytes(file.size, language)}</dd>
        </div>
        <div>
          <dt>{t.type}</dt>
          <dd>{file.contentType}</dd>
        </div>
        <div>
          <dt>{t.changed}</dt>
          <dd>
            <Day time={file.updatedAt} language={language} isShort />
          </dd>
        </div>
      </dl>
      <p class="actions">
        {preview.kind === "withheld" ? null : (
          <a class="button" href={`${url}?download`} download={file.name} rel="nofollow">
            {t.download}
          </a>
        )}
        {preview.kind === "document" ? (
          <a class="button quiet" href={url}>
            {t.open}
          </a>
        ) : null}
        {preview.kind === "photo" && links.prefix === "" ? (
          <a class="button quiet" href={links.photo(preview.photo)}>
            {t.photo}
          </a>
        ) : null}
      </p>
    </article>
  );
}

type ShownProps = { file: FileRecord; preview: Preview; links: Links; language: Visit["language"] };

function Shown({ file, preview, links, language }: ShownProps) {
  const t = browseTexts[language];
  const url = links.api(file.url ?? "");
  const alt = t.picture(file.name);
  switch (preview.kind) {
    case "photo":
      return <PhotoPreview photo={preview.photo} links={links} alt={alt} />;
    case "image":
      return (
        <img src={url} width={preview.width} height={preview.height} alt={alt} decoding="async" fetchpriority="high" />
      );
    case "video":
      return <video src={url} controls preload="metadata" aria-label={file.name} />;
    case "audio":
      return <audio src={url} controls preload="metadata" aria-label={file.name} />;
    case "text":
      return (
        <>
          <pre dir="auto" tabindex={0}>
            {preview.text}
          </pre>
          {preview.isWhole ? null : <p class="quiet">{t.beginning(printBytes(maxTextBytes, language))}</p>}
        </>
      );
    case "withheld":
      return <p class="notice">{t.withheld}</p>;
    default:
      return (
        <div class="no-preview">
          <FileIcon file={file} />
          {preview.kind === "none" ? <p class="quiet">{t.noPreview}</p> : null}
        </div>
      );
  }
}

function PhotoPreview({ photo, links, alt }: { photo: Photo; links: Links; alt: string }) {
  const shown = photo.variants.find(({ width }) => width >= 1280) ?? photo.variants.at(-1);
  return (
    <img
      src={links.api(shown?.url ?? "")}
      srcset={photo.variants.map(({ url, width }) => `${links.api(url)} ${width}w`).join(", ")}
      sizes="(min-width: 75rem) 75rem, 100vw"
      width={photo.width}
      height={photo.height}
      alt={photo.altText || alt}
      decoding="async"
      fetchpriority="high"
      data-thumbhash={photo.thumbhash ?? undefined}
    />
  );
}
