/** Two sequences have the same items from `one` and from `other` on, `length` of them. */
type Run = { one: number; other: number; length: number };

/** The most differences that are looked for in a part. If there are more, the part is taken as replaced. */
const maxDifferences = 800;

/** What two sequences have in common, such as lines or words. */
export function compareItems(one: readonly string[], other: readonly string[]): Run[] {
  const numbers = new Map<string, number>();
  const numberOf = (item: string) => {
    const known = numbers.get(item);
    if (known !== undefined) return known;
    numbers.set(item, numbers.size);
    return numbers.size - 1;
  };
  return compare(Int32Array.from(one, numberOf), Int32Array.from(other, numberOf));
}

/** The algorithm of Myers in linear space: the middle of the shortest edit is found from both ends, then each half of it. */
function compare(one: Int32Array, other: Int32Array): Run[] {
  const runs: Run[] = [];
  visit(0, one.length, 0, other.length);
  return runs;

  function visit(oneFrom: number, oneTo: number, otherFrom: number, otherTo: number): void {
    let start = 0;
    const max = Math.min(oneTo - oneFrom, otherTo - otherFrom);
    while (start < max && one[oneFrom + start] === other[otherFrom + start]) start++;
    add({ one: oneFrom, other: otherFrom, length: start });
    let end = 0;
    while (end < max - start && one[oneTo - 1 - end] === other[otherTo - 1 - end]) end++;
    const part: Part = [oneFrom + start, oneTo - end, otherFrom + start, otherTo - end];
    const middle = part[0] < part[1] && part[2] < part[3] ? findMiddle(one, other, part) : null;
    if (middle) {
      visit(part[0], middle.one, part[2], middle.other);
      visit(middle.one, part[1], middle.other, part[3]);
    }
    add({ one: oneTo - end, other: otherTo - end, length: end });
  }

  function add(run: Run): void {
    const last = runs.at(-1);
    if (last && last.one + last.length === run.one && last.other + last.length === run.other) last.length += run.length;
    else if (run.length > 0) runs.push(run);
  }
}

type Part = [oneFrom: number, oneTo: number, otherFrom: number, otherTo: number];

/** A point on a shortest edit, where as much was edited before it as after it; null if there are too many differences. */
function findMiddle(one: Int32Array, other: Int32Array, [oneFrom, oneTo, otherFrom, otherTo]: Part) {
  const oneLength = oneTo - oneFrom;
  const otherLength = otherTo - otherFrom;
  const delta = oneLength - otherLength;
  const max = Math.min(Math.ceil((oneLength + otherLength) / 2), maxDifferences);
  // How far one comes on each diagonal, from the start and from the end.
  const middle = max + 1;
  const forward = new Int32Array(2 * middle + 1);
  const backward = new Int32Array(2 * middle + 1);
  for (let edits = 0; edits <= max; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = next(forward, diagonal, edits);
      while (x < oneLength && x - diagonal < otherLength && one[oneFrom + x] === other[otherFrom + x - diagonal]) x++;
      forward[middle + diagonal] = x;
      const facing = delta - diagonal;
      if (delta % 2 !== 0 && Math.abs(facing) < edits && x + at(backward, facing) >= oneLength)
        return point(x, diagonal);
    }
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = next(backward, diagonal, edits);
      while (x < oneLength && x - diagonal < otherLength && one[oneTo - 1 - x] === other[otherTo - 1 - x + diagonal])
        x++;
      backward[middle + diagonal] = x;
      const facing = delta - diagonal;
      if (delta % 2 === 0 && Math.abs(facing) <= edits && x + at(forward, facing) >= oneLength) {
        return point(oneLength - x, facing);
      }
    }
  }
  return null;

  function at(reached: Int32Array, diagonal: number): number {
    return reached[middle + diagonal] ?? 0;
  }

  function next(reached: Int32Array, diagonal: number, edits: number): number {
    if (diagonal === -edits) return at(reached, diagonal + 1);
    if (diagonal === edits) return at(reached, diagonal - 1) + 1;
    return Math.max(at(reached, diagonal - 1) + 1, at(reached, diagonal + 1));
  }

  function point(x: number, diagonal: number) {
    return { one: oneFrom + x, other: otherFrom + x - diagonal };
  }
}
