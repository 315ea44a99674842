import type { MarkdownIt, StateBlock } from "markdown-it";

/*
 * A limit for the work that a text takes, so that it can be given up before it delays others. Work is counted and not measured:
 * what happens to a text depends on nothing else. A unit is about 50 nanoseconds on two arm64 cores, or less.
 */
const costs = {
  letter: 1,
  sign: 8,
  /** A character that is not ASCII. */
  other: 4,
  /** Of a word that may contain a link, for each character: several patterns look for it. */
  linkable: 5,
  www: 300,
  link: 150,
  urlCharacter: 8,
  labelCharacter: 3,
  destinationCharacter: 1 / 15,
  skippedToken: 1,
  line: 30,
  blockToken: 15,
  inlineText: 50,
};

/** Patterns that look for links in a word, or encode one, take too long if it is longer. */
const longestWord = 500;
const longestURL = 1000;

/** What a character of a text costs: some may begin something. */
const characterCosts = new Uint8Array(128).fill(costs.sign);
const special = { 20: "\\!", 30: "`", 40: "*_~^\n", 50: "&", 60: ":", 80: "|", 100: "[<", 150: "@" };
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z\d ,]/i.test(character)) characterCosts[code] = costs.letter;
  for (const [cost, signs] of Object.entries(special))
    if (signs.includes(character)) characterCosts[code] = Number(cost);
}

/** What is left for the text that is being rendered; null without a limit. */
let unitsLeft: number | null = null;

/** The result of the work; null if it costs more than so many units, or fails. */
export function withinBudget<Result>(units: number, work: () => Result): Result | null {
  unitsLeft = units;
  try {
    return work();
  } catch {
    return null;
  } finally {
    unitsLeft = null;
  }
}

/** Throws if less is left. */
export function charge(units: number): void {
  if (unitsLeft === null) return;
  unitsLeft -= units;
  if (unitsLeft < 0) throw new Error("Rendering the text costs too much.");
}

/** Charges for what the parser does, and most of all for what it may do many times with the same part of a text. */
export function addBudget(markdown: MarkdownIt): void {
  countInline(markdown);
  countLinks(markdown);
  const { block } = markdown;
  block.State = class extends block.State {
    override push(...words: Parameters<StateBlock["push"]>) {
      charge(costs.blockToken);
      return super.push(...words);
    }
  };
  const countLine = () => {
    charge(costs.line);
    return false;
  };
  block.ruler.before("table", "budget", countLine, { alt: ["paragraph", "reference", "blockquote", "list"] });
}

function countInline({ inline }: MarkdownIt): void {
  const { parse, skipToken } = inline;
  inline.parse = (text, ...rest) => {
    if (unitsLeft !== null) charge(costs.inlineText + costOf(text));
    parse.call(inline, text, ...rest);
  };
  inline.skipToken = (state) => {
    charge(costs.skippedToken);
    skipToken.call(inline, state);
  };
}

function countLinks(markdown: MarkdownIt): void {
  const { helpers, normalizeLink } = markdown;
  const { parseLinkDestination, parseLinkLabel, parseLinkTitle } = helpers;
  helpers.parseLinkLabel = (state, start, ...rest) => {
    const end = parseLinkLabel(state, start, ...rest);
    // It is then looked up among the definitions.
    if ("references" in state.env) charge(costs.labelCharacter * Math.max(0, end - start));
    return end;
  };
  helpers.parseLinkDestination = (text, start, end) => {
    charge(costs.destinationCharacter * (end - start));
    return parseLinkDestination(text, start, end);
  };
  helpers.parseLinkTitle = (text, start, end, previous) => {
    charge(costs.destinationCharacter * (end - start));
    return parseLinkTitle(text, start, end, previous);
  };
  markdown.normalizeLink = (url) => {
    charge(url.length > longestURL ? Infinity : costs.link + costs.urlCharacter * url.length);
    const normalized = normalizeLink.call(markdown, url);
    charge(costs.urlCharacter * Math.max(0, normalized.length - url.length));
    return normalized;
  };
}

const [dot, slash, colon, at] = "./:@".split("").map((sign) => sign.charCodeAt(0));

function costOf(text: string): number {
  let cost = 0;
  let wordStart = 0;
  let mayLink = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    cost += code < 128 ? (characterCosts[code] as number) : costs.other;
    if (code <= 32) {
      wordStart = index;
      mayLink = false;
    } else if (code === colon || code === slash || code === at) {
      mayLink = true;
    } else if (code === dot && /w/i.test(text.charAt(index - 1))) {
      cost += costs.www;
      mayLink = true;
    }
    if (!mayLink) continue;
    if (index - wordStart > longestWord) return Infinity;
    cost += costs.linkable;
  }
  return cost;
}
