import { useQuery } from "@tanstack/react-query";
import { Download, ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import type { File } from "../../client/src/index.ts";
import { downloadURL } from "../download/download.ts";
import { api } from "../lib/api.ts";
import { formatBytes } from "../lib/format.ts";
import { translate } from "../lib/language.ts";
import { words } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Result } from "../ui/screen.tsx";
import { KindIcon, kindOf } from "./kinds.tsx";
import { findPhotoOf } from "./photo-of.ts";
import { fileTexts as t } from "./texts.ts";

/** A file as the browser shows it. */
export function PreviewContent({ file }: { file: File }) {
  const [isBroken, setIsBroken] = useState(false);
  const source = api.readContent.url({ id: file.id });
  const kind = isBroken ? "other" : kindOf(file);
  const onError = () => setIsBroken(true);
  const middle = "m-auto max-h-full max-w-full p-4";
  if (kind === "image") return <Picture file={file} source={source} onError={onError} className={middle} />;
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  if (kind === "video") return <video src={source} controls autoPlay onError={onError} className={middle} />;
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  if (kind === "audio")
    return <audio src={source} controls autoPlay onError={onError} className="m-auto w-full max-w-lg p-4" />;
  if (kind === "pdf" && navigator.pdfViewerEnabled)
    return <iframe src={source} title={file.name} className="h-full w-full border-0" />;
  if (kind === "text" || kind === "markdown") return <TextContent file={file} isMarkdown={kind === "markdown"} />;
  return <Unshown file={file} />;
}

type PictureProps = { file: File; source: string; onError: () => void; className: string };

/** What this browser cannot show, such as HEIC in most, the server has as a JPEG if it is one of one's photos. */
function Picture({ file, source, onError, className }: PictureProps) {
  const [isForeign, setIsForeign] = useState(false);
  const photo = useQuery({
    queryKey: ["photos", "of content", file.sha256],
    queryFn: () => findPhotoOf(file.sha256 ?? ""),
    enabled: isForeign && file.sha256 !== null,
  });
  const url = isForeign ? photo.data && api.readPhotoImage.url({ id: photo.data, w: "1920" }) : source;
  const isMissing = isForeign && (file.sha256 === null || photo.data === null || photo.isError);
  useEffect(() => void (isMissing && onError()), [isMissing, onError]);
  if (!url) return null;
  const fail = () => (isForeign ? onError() : setIsForeign(true));
  return <img src={url} alt={file.name} onError={fail} className={classes(className, "object-contain")} />;
}

/** Longer texts are cut: a browser is slow with a line of many megabytes. */
const maxBytes = 512 * 1024;
/** Markdown beyond this is shown as text. */
const maxRendered = 200_000;

function TextContent({ file, isMarkdown }: { file: File; isMarkdown: boolean }) {
  const content = useQuery({
    queryKey: ["files", "text", file.id, file.sha256],
    queryFn: async ({ signal }) => {
      // An empty file has no range.
      const range = file.size > 0 ? { range: `bytes=0-${maxBytes - 1}` } : {};
      const text = await (await api.readContent({ id: file.id }, { signal, ...range })).text();
      const isRendered = isMarkdown && text.trim() !== "" && text.length <= maxRendered;
      const { html } = isRendered ? await api.previewPost({ content: text }, { signal }) : { html: null };
      return { text, html: html && reachableHTML(html) };
    },
  });
  return (
    // The keyboard scrolls it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="h-full w-full overflow-auto" tabIndex={0} data-scrolls>
      <Result of={content}>
        {({ text, html }) => (
          <div className="mx-auto max-w-4xl px-4 py-6 md:px-14">
            {file.size > maxBytes && <p className="mb-4 text-soft">{t.cutShort(formatBytes(maxBytes))}</p>}
            {html === null ? (
              <pre className="font-mono text-sm break-words whitespace-pre-wrap">{text}</pre>
            ) : (
              // The server has removed all that is not text and pictures.
              // oxlint-disable-next-line react/no-danger
              <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
            )}
          </div>
        )}
      </Result>
    </div>
  );
}

function Unshown({ file }: { file: File }) {
  return (
    <div className="m-auto grid justify-items-center gap-4 p-6 text-center">
      <KindIcon file={file} className="size-16 stroke-[1.1]" />
      <p>{t.noPreview}</p>
      <div className="flex flex-wrap justify-center gap-2">
        <a className={buttonClass()} href={api.readContent.url({ id: file.id })} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" />
          {t.openTab}
        </a>
        <a className={buttonClass("main")} href={downloadURL(file)} download>
          <Download aria-hidden="true" />
          {words.download}
        </a>
      </div>
    </div>
  );
}

const tasks = translate({ en: { done: "Done", open: "Not done" }, de: { done: "Erledigt", open: "Nicht erledigt" } });

/** Rendered Markdown as the site shows it: the keyboard reaches what can be scrolled, and tasks say whether they are done. */
function reachableHTML(html: string): string {
  const template = document.createElement("template");
  // The HTML comes from the sanitizer of the server.
  template.innerHTML = html;
  for (const text of template.content.querySelectorAll("pre")) text.tabIndex = 0;
  for (const box of template.content.querySelectorAll("input")) {
    box.setAttribute("aria-label", box.hasAttribute("checked") ? tasks.done : tasks.open);
  }
  return template.innerHTML;
}
