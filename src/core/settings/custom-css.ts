/** The tokens of CSS that matter here. A name may contain escapes; a `(` right after it makes it a function. */
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|@?(?:\\[\da-f]{1,6}\s?|\\[^\n\da-f]|[\w-]|[^\0-\x7f])+\(?|[()]/giy;

/** Functions that load what their strings name. */
const loading = new Set(["url", "src", "image", "image-set", "-webkit-image-set"]);

/**
 * What in these styles would be loaded from elsewhere: an `@import`, or a URL that is neither a path of this site nor has the
 * data in it; null if there is nothing. The policy of every page also forbids it; this error explains why before anyone wonders.
 */
export function findForeignURL(css: string): string | null {
  /** Of the parentheses around the current position, whether each belongs to a function that loads something. */
  const open: boolean[] = [];
  let openLoading = 0;
  for (let position = 0; position < css.length;) {
    token.lastIndex = position;
    const text = token.exec(css)?.[0];
    position += text?.length ?? 1;
    if (text === undefined || text.startsWith("/*")) continue;
    if (text === ")") openLoading -= Number(open.pop() ?? false);
    else if (text === "(") open.push(false);
    else if (/^["']/.test(text)) {
      const url = unescape(text.slice(1).replace(/["']$/, ""));
      if (openLoading > 0 && isForeign(url)) return shown(url);
    } else {
      const name = unescape(text.replace(/\($/, "")).toLowerCase();
      if (name === "@import") return name;
      if (!text.endsWith("(")) continue;
      const bare = name === "url" ? readBareURL(css, position) : null;
      if (bare === null) {
        open.push(loading.has(name));
        openLoading += Number(loading.has(name));
      } else if (isForeign(bare.url)) return shown(bare.url);
      else position = bare.end;
    }
  }
  return null;
}

const bareURL = /\s*(?!["'\s])((?:\\[\s\S]|[^\\)])*)\)?/y;

/** The URL in `url()` without quotation marks, and where it ends; null if it has them. */
function readBareURL(css: string, start: number): { url: string; end: number } | null {
  bareURL.lastIndex = start;
  const found = bareURL.exec(css);
  return found ? { url: unescape((found[1] ?? "").trim()), end: bareURL.lastIndex } : null;
}

/** Browsers ignore control characters and spaces before a URL, and read `\` as `/`. */
function isForeign(url: string): boolean {
  const read = url.replaceAll(/[\0-\x20]/g, "").replaceAll("\\", "/");
  return read.startsWith("//") || (/^[a-z][a-z\d+.-]*:/i.test(read) && !/^data:/i.test(read));
}

const unescape = (text: string) =>
  text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\n|([\s\S]))/gi, (_, code?: string, character?: string) =>
    code === undefined ? (character ?? "") : toCharacter(Number.parseInt(code, 16)),
  );

const toCharacter = (code: number) => (code === 0 || code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code));

const shown = (url: string) => `"${url.slice(0, 100).toWellFormed()}"`;
