import { useEffect, useRef, useState } from "react";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { reachableHTML } from "../lib/reachable-html.ts";
import { isBlank } from "./draft.ts";
import { writerTexts as t } from "./texts.ts";
import type { Writing } from "./writing.ts";

const pause = 400;

/** How far the text is scrolled, from 0 to 1, and who wants to know. */
export type ScrollLink = { fraction: number; onScroll: (() => void) | null };

type Props = { writing: Writing; title: string; scroll: ScrollLink };

/** The text as the server renders it, a moment after it was changed. */
export function PreviewPane({ writing, title, scroll }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [note, setNote] = useState<string | null>(null);

  useEffect(() => {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let took = 0;
    let shown: string | null = null;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void render(), Math.max(pause, 2 * took));
    };
    const render = async () => {
      const { content } = writing.draft();
      if (content === shown || !text.current) return;
      const begin = performance.now();
      try {
        const html = isBlank(content) ? "" : (await api.previewPost({ content }, { signal: ending.signal })).html;
        if (ending.signal.aborted) return;
        shown = content;
        replaceChanged(text.current, reachableHTML(html));
        follow(scroller.current, scroll.fraction);
        setNote(html === "" ? t.noPreview : null);
      } catch (error) {
        if (!ending.signal.aborted) setNote(explain(error));
      }
      took = performance.now() - begin;
    };
    void render();
    const unfollow = writing.followText(later);
    return () => {
      unfollow();
      clearTimeout(timer);
      ending.abort();
    };
  }, [writing, scroll]);

  useEffect(() => {
    scroll.onScroll = () => follow(scroller.current, scroll.fraction);
    return () => {
      scroll.onScroll = null;
    };
  }, [scroll]);

  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={t.previewLabel}
      className="h-full overflow-y-auto bg-paper"
    >
      {title && (
        <h2 dir="auto" className="mx-auto max-w-2xl px-6 pt-6 font-serif text-2xl leading-tight font-semibold">
          {title}
        </h2>
      )}
      {note && <p className="px-6 pt-6 text-soft">{note}</p>}
      <div ref={text} dir="auto" className="prose mx-auto max-w-2xl px-6 py-6" onClick={openElsewhere} />
    </div>
  );
}

/** Roughly where the text is scrolled to. */
function follow(scroller: HTMLElement | null, fraction: number): void {
  if (scroller) scroller.scrollTop = fraction * (scroller.scrollHeight - scroller.clientHeight);
}

/** Only elements that differ are replaced, so that pictures are not loaded again. */
function replaceChanged(container: HTMLElement, html: string): void {
  const template = document.createElement("template");
  template.innerHTML = html;
  const before = [...container.children];
  const after = [...template.content.children];
  const isSame = (one: Element | undefined, other: Element | undefined) =>
    one && other && one.outerHTML === other.outerHTML;
  let start = 0;
  while (isSame(before[start], after[start])) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && isSame(before.at(-1 - end), after.at(-1 - end))) end++;
  const next = before[before.length - end] ?? null;
  for (const element of before.slice(start, before.length - end)) element.remove();
  for (const element of after.slice(start, after.length - end)) container.insertBefore(element, next);
}

/** A link must not take somebody away from what they write. */
function openElsewhere(event: React.MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link) return;
  event.preventDefault();
  if (link.hash && link.pathname === location.pathname)
    document.getElementById(decodeURIComponent(link.hash.slice(1)))?.scrollIntoView();
  else window.open(link.href, "_blank", "noopener");
}
