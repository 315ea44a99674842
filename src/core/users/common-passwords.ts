import { fold } from "../../platform/text.ts";
import { commonWords } from "./common-words.ts";

/** What fingers do on keyboards, and what everybody can say by heart. Also backwards. */
const rows = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "qwertzuiopü",
  "azertyuiop",
  "asdfghjklöä",
  "zxcvbnm",
  "yxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "1q2w3e4r5t6z7u8i9o0p",
  "qazwsxedcrfvtgbyhnujmikolp",
  "qayswxedcrfvtgbzhnujmikolp",
  '!"§$%&/()=',
  "!@#$%^&*()",
  "147258369",
  "qweasdzxc",
].flatMap((row) => [row, Array.from(row).toReversed().join("")]);

const shortestRun = 3;
/** So many characters may stand beside what is common, without making it uncommon. */
const maxBeside = 5;
/** And so many beside runs. */
const maxBesideRuns = 2;
const leet: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Whether a password is among those that are tried first: see docs/decisions/0113-second-factors.md. */
export function isCommonPassword(password: string): boolean {
  const text = fold(password.normalize("NFKC"));
  if (isRepeated(text) || isDate(text) || isOfRuns(text)) return true;
  return [text, unleet(text)].some((form) => isWordWithLittle(form));
}

/** One to four characters again and again, with little behind them. */
function isRepeated(text: string): boolean {
  return [1, 2, 3, 4].some((size) => {
    let end = size;
    while (end < text.length && text[end] === text[end - size]) end++;
    return end >= Math.max(2 * size, 4) && text.length - end < shortestRun;
  });
}

/** A day, with or without separators, in any order. */
function isDate(text: string): boolean {
  const digits = text.replace(/[.\-/ ]/g, "");
  if (!/^\d{8}$/.test(digits)) return false;
  const isDay = (year: number, one: number, other: number) =>
    year >= 1900 &&
    year < 2100 &&
    Math.min(one, other) >= 1 &&
    Math.min(one, other) <= 12 &&
    Math.max(one, other) <= 31;
  const at = (start: number, length: number) => Number(digits.slice(start, start + length));
  return isDay(at(0, 4), at(4, 2), at(6, 2)) || isDay(at(4, 4), at(0, 2), at(2, 2));
}

const withoutDoubles = (text: string): string =>
  Array.from(text)
    .filter((sign, at, all) => sign !== all[at - 1])
    .join("");

/** Also if each character stands twice. */
const isOfRuns = (text: string): boolean =>
  [text, withoutDoubles(text)].some((form) => withoutRuns(form).length <= maxBesideRuns);

/** What is left after the longest runs were taken away, from the left to the right. */
function withoutRuns(text: string): string {
  let rest = "";
  for (let start = 0; start < text.length;) {
    const length = runAt(text, start);
    if (length < shortestRun) rest += text[start++];
    else start += length;
  }
  return rest;
}

function runAt(text: string, start: number): number {
  let length = shortestRun;
  for (; start + length <= text.length; length++) {
    const part = text.slice(start, start + length);
    if (!rows.some((row) => row.includes(part))) break;
  }
  return length - 1;
}

/** What stands before the first letter, from there to the last one, and behind it. */
function splitAtLetters(text: string): [before: string, core: string, behind: string] {
  const isLetter = Array.from(text, (sign) => /\p{L}/u.test(sign));
  const signs = Array.from(text);
  const first = isLetter.indexOf(true);
  const last = isLetter.lastIndexOf(true);
  if (first === -1) return [text, "", ""];
  return [signs.slice(0, first).join(""), signs.slice(first, last + 1).join(""), signs.slice(last + 1).join("")];
}

/** Digits and signs between letters as the letters that they stand for, and those that begin a word. */
function unleet(text: string): string {
  const [before, core, behind] = splitAtLetters(text);
  const first = before.slice(-1);
  const isPart = first in leet && !/\d/.test(first);
  const word = (isPart ? first : "") + core;
  return (isPart ? before.slice(0, -1) : before) + Array.from(word, (sign) => leet[sign] ?? sign).join("") + behind;
}

/** A common word or two, with a few digits or signs before and behind, or more of them that are common themselves. */
function isWordWithLittle(text: string): boolean {
  const [before, core, behind] = splitAtLetters(text);
  const beside = before + behind;
  if (beside.length > maxBeside && !isOfRuns(beside) && !isRepeated(beside) && !isDate(beside)) return false;
  return commonWords.has(core) || isTwoWords(core);
}

function isTwoWords(core: string): boolean {
  for (let cut = 2; cut <= core.length - 2; cut++)
    if (commonWords.has(core.slice(0, cut)) && commonWords.has(core.slice(cut))) return true;
  return false;
}
