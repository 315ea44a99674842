import { compareItems } from "./diff.ts";

/** A piece of a line; `isChanged` if the other side does not have it. */
export type Piece = { text: string; isChanged: boolean };
type Row = { key: string; left: Piece[] | null; right: Piece[] | null } | { key: string; hidden: number };

/** Unchanged lines that are shown around a difference. */
const context = 2;
const maxCompared = 5000;

/** Two texts side by side. Of what they have in common, only the lines around a difference are shown. */
export function rowsOf(left: string, right: string): Row[] {
  const [one, other] = [left.split("\n"), right.split("\n")];
  const rows: Row[] = [];
  let [atOne, atOther] = [0, 0];
  const end = { one: one.length, other: other.length, length: 0 };
  for (const run of [...compareItems(one, other), end]) {
    rows.push(...changedRows(one.slice(atOne, run.one), other.slice(atOther, run.other), `${atOne}/${atOther}`));
    const isFirst = rows.length === 0;
    const isLast = run.one + run.length === one.length && run.other + run.length === other.length;
    rows.push(...sameRows(one.slice(run.one, run.one + run.length), run.one, { isFirst, isLast }));
    [atOne, atOther] = [run.one + run.length, run.other + run.length];
    if (isLast) break;
  }
  return rows;
}

export const isHidden = (row: Row): row is { key: string; hidden: number } => "hidden" in row;

function sameRows(lines: string[], from: number, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): Row[] {
  const before = isFirst ? 0 : context;
  const after = isLast ? 0 : context;
  const show = (line: string, index: number): Row => {
    const piece = [{ text: line, isChanged: false }];
    return { key: `same ${from + index}`, left: piece, right: piece };
  };
  if (lines.length <= before + after + 1) return lines.map(show);
  const hidden = lines.length - before - after;
  return [
    ...lines.slice(0, before).map(show),
    { key: `hidden ${from}`, hidden },
    ...lines.slice(lines.length - after).map((line, index) => show(line, before + hidden + index)),
  ];
}

function changedRows(left: string[], right: string[], key: string): Row[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [one, other] = [left[index], right[index]];
    const [onePieces, otherPieces] =
      one !== undefined && other !== undefined ? comparePieces(one, other) : [null, null];
    return {
      key: `changed ${key} ${index}`,
      left: onePieces ?? (one === undefined ? null : [{ text: one, isChanged: true }]),
      right: otherPieces ?? (other === undefined ? null : [{ text: other, isChanged: true }]),
    };
  });
}

/** Which words of two lines differ. */
function comparePieces(one: string, other: string): [Piece[], Piece[]] {
  const isLong = one.length > maxCompared || other.length > maxCompared;
  const [left, right] = isLong ? [[one], [other]] : [wordsOf(one), wordsOf(other)];
  const result: [Piece[], Piece[]] = [[], []];
  let [atOne, atOther] = [0, 0];
  for (const run of [...compareItems(left, right), { one: left.length, other: right.length, length: 0 }]) {
    add(result[0], left.slice(atOne, run.one), true);
    add(result[1], right.slice(atOther, run.other), true);
    const same = left.slice(run.one, run.one + run.length);
    add(result[0], same, false);
    add(result[1], same, false);
    [atOne, atOther] = [run.one + run.length, run.other + run.length];
  }
  return result;
}

const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

function add(pieces: Piece[], words: string[], isChanged: boolean): void {
  if (words.length > 0) pieces.push({ text: words.join(""), isChanged });
}
