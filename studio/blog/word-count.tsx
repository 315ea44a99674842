import { useEffect, useState } from "react";
import { writerTexts as t } from "./texts.ts";
import type { Writing } from "./writing.ts";

const pause = 1000;

/** Counted when the person stops writing for a moment. */
export function WordCount({ writing }: { writing: Writing }) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const update = () => setCount(writing.draft().content.match(/[\p{L}\p{N}]+(['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0);
    const unfollow = writing.followText(() => {
      clearTimeout(timer);
      timer = setTimeout(update, pause);
    });
    update();
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, [writing]);
  return <p className="shrink-0 px-5 py-1 text-right text-xs text-soft">{t.words(count)}</p>;
}
