import { nextTurn } from "../event-loop.ts";
import { late } from "../once.ts";
import { renderParagraphs } from "./paragraphs.ts";
import { startProcessRenderer } from "./process-renderer.ts";
import type { Rendered } from "./rendered.ts";

export type Renderer = {
  /**
   * What is made of a text in Markdown, with references to records as comments. If it takes too much time or memory, its code
   * is not highlighted; if that does not help, it becomes plain text. Null if there is no time to render it now: a person has only
   * so much, and others do not wait for it.
   */
  render(text: string, ownerID: number): Promise<Rendered | null>;
  close(): void;
};

/** Texts that are rendered here have at most so many characters. */
const maxCharacters = 10_000;
/** What is left to the other process: code in a language, footnotes and HTML. */
const isSpecial = /[`~]{3}[^\S\n]*[^\s`~]|\[\^|<[/!?]|<[a-z][a-z\d-]*[\s/>]/i;
/** How long texts are rendered in one turn of the event loop before the next one waits for a later turn. */
const maxMillisecondsPerTurn = 3;

/** Ordinary texts are rendered here, and all others in a process of their own, which can be given up. */
export function startRenderer(): Renderer {
  const others = startProcessRenderer();
  let isClosed = false;

  return {
    async render(text, ownerID) {
      const rendered = isClosed ? null : await renderHere(text);
      return isClosed ? null : (rendered ?? others.render(text, ownerID));
    },
    close() {
      isClosed = true;
      others.close();
    },
  };
}

async function renderHere(text: string): Promise<Rendered | null> {
  if (text.length > maxCharacters || isSpecial.test(text)) return null;
  const paragraphs = await inTurns(() => renderParagraphs(text));
  if (paragraphs) return paragraphs;
  // If it cannot be loaded now, for example because too many files are open, it is tried again for the next text.
  const ordinary = await loadOrdinary().catch(() => null);
  return ordinary && inTurns(() => ordinary.renderOrdinary(text));
}

const waiting: (() => void)[] = [];
let millisecondsInTurn = 0;

/** Works at once while the turn has time for it, and otherwise in a later turn: those who have waited longest come first. */
function inTurns<Result>(work: () => Result): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  if (waiting.push(() => resolve(work())) === 1) workInTurn();
  return promise;
}

function workInTurn(): void {
  if (millisecondsInTurn === 0) setImmediate(beginTurn);
  while (waiting.length > 0 && millisecondsInTurn <= maxMillisecondsPerTurn) {
    const started = performance.now();
    waiting.shift()?.();
    millisecondsInTurn += performance.now() - started;
  }
}

function beginTurn(): void {
  millisecondsInTurn = 0;
  if (waiting.length > 0) workInTurn();
}

/** Texts that use the patterns which find links. The runtime compiles a pattern once for Latin texts, and once for all others. */
const firstTexts = ["a", "[a](https://a.org)", "a@a.org"].flatMap((text) => [text, `${text} 字`]);

/** The parser is loaded for the first text, because it takes memory, and in several turns, because that takes 50 ms. */
const loadOrdinary = late(async () => {
  await import("markdown-it");
  await nextTurn();
  await import("./markdown.ts");
  await nextTurn();
  const ordinary = await import("./ordinary.ts");
  for (const text of firstTexts) {
    await nextTurn();
    ordinary.renderOrdinary(text);
  }
  await nextTurn();
  return ordinary;
});
