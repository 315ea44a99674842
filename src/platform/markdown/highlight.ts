type Highlighter = {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};

// Its own types would declare the whole DOM in every file.
const hljs = require("highlight.js/lib/common") as Highlighter;

/** HTML of a code block with classes for its parts; "" if it stays as it is. */
export type Highlight = (code: string, language: string) => string;

const longestBlock = 20_000;
const maxCharacters = 100_000;
const maxMilliseconds = 500;

/** For the code blocks of one text. A language is never guessed. What exceeds the limits is not highlighted. */
export function createHighlight(): Highlight {
  const end = performance.now() + maxMilliseconds;
  let left = maxCharacters;
  return (code, language) => {
    if (code.length > Math.min(longestBlock, left) || performance.now() > end || !hljs.getLanguage(language)) return "";
    left -= code.length;
    return hljs.highlight(code, { language, ignoreIllegals: true }).value;
  };
}
