import { useEffect, useRef, useState } from "react";
import { VitrineError } from "../../client/src/index.ts";
import { useHiddenChanges } from "../hidden/hidden.ts";
import { explain } from "../lib/explain.ts";
import type { Draft } from "./draft.ts";
import { replaceChanged } from "./replace-changed.ts";
import { writerTexts as t } from "./texts.ts";
import type { Writing } from "./writing.ts";

const pause = 400;

/** How far the text is scrolled, from 0 to 1, and who wants to know. */
export type ScrollLink = { fraction: number; onScroll: (() => void) | null };

type Props = { writing: Writing; scroll: ScrollLink };

/** The page of the site with the text, a moment after it was changed. */
export function PreviewPane({ writing, scroll }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [note, setNote] = useState<string | null>(null);
  const { post, draft } = writing.use();
  const changes = useHiddenChanges();
  const later = useRef<() => void>(() => {});

  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let took = 0;
    let shown = "";
    const render = async () => {
      const written = writtenOf(writing.snapshot().post?.id ?? null, writing.draft());
      const key = JSON.stringify(written);
      if (key === shown) return;
      const begin = performance.now();
      try {
        const html = await readPreview(written, ending.signal);
        if (ending.signal.aborted || !frame.current) return;
        show(frame.current, html, shown === "", () => follow(frame.current, scroll.fraction));
        shown = key;
        setNote(null);
      } catch (error) {
        if (!ending.signal.aborted) setNote(explain(error));
      }
      took = performance.now() - begin;
    };
    later.current = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void render(), Math.max(pause, 2 * took));
    };
    void render();
    const unfollow = writing.followText(() => later.current());
    return () => {
      unfollow();
      clearTimeout(timer);
      ending.abort();
    };
  }, [writing, scroll, changes]);
  // Also the title, the tags and the cover are on the page.
  useEffect(() => later.current(), [post?.id, draft.title, draft.tags, draft.coverID]);

  useEffect(() => {
    scroll.onScroll = () => follow(frame.current, scroll.fraction);
    return () => {
      scroll.onScroll = null;
    };
  }, [scroll]);

  return (
    <div className="flex h-full flex-col bg-paper">
      {note && (
        <p role="status" className="border-b border-line px-5 py-3 text-soft">
          {note}
        </p>
      )}
      {/* Of the same origin, so that it has the cookie for private pictures; without scripts. */}
      <iframe ref={frame} title={t.previewLabel} sandbox="allow-same-origin" className="min-h-0 w-full flex-1" />
    </div>
  );
}

/** The first time as a new document. Later, only what has changed is replaced, and the page stays where it is. */
function show(frame: HTMLIFrameElement, html: string, isFirst: boolean, onFirst: () => void): void {
  const main = isFirst ? null : frame.contentDocument?.querySelector("main");
  const next = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  if (main && next) return replaceChanged(main, next);
  const start = () => {
    frame.contentDocument?.addEventListener("click", openElsewhere);
    onFirst();
  };
  frame.addEventListener("load", start, { once: true });
  frame.srcdoc = html;
}

/** Roughly where the text is scrolled to. */
function follow(frame: HTMLIFrameElement | null, fraction: number): void {
  const scroller = frame?.contentDocument?.scrollingElement;
  if (scroller) scroller.scrollTop = fraction * (scroller.scrollHeight - scroller.clientHeight);
}

/** A link must not lead away from the text that is being written. */
function openElsewhere(event: MouseEvent): void {
  const { target } = event;
  // Elements of the frame are not instances of the classes of this window.
  const link = (target as Element | null)?.closest("a");
  if (!link) return;
  event.preventDefault();
  const href = link.getAttribute("href") ?? "";
  if (href.startsWith("#")) link.ownerDocument.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView();
  else window.open(link.href, "_blank", "noopener");
}

/** What the page of the post shows. */
type PreviewedPost = Pick<Draft, "kind" | "title" | "content" | "tags" | "coverID"> & { id: number | null };

const writtenOf = (id: number | null, { kind, title, content, tags, coverID }: Draft): PreviewedPost => ({
  id,
  kind,
  title,
  content,
  tags,
  coverID,
});

/** The page of the site with the current text of the post. It is a page, so it is not a request to the API. */
async function readPreview(written: PreviewedPost, signal: AbortSignal): Promise<string> {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(written) };
  const response = await fetch("/studio/preview", { ...request, signal }).catch((error: unknown) => {
    throw new VitrineError("The server cannot be reached.", { code: "network", cause: error });
  });
  if (!response.ok) throw new VitrineError(response.statusText, { status: response.status });
  return response.text();
}
