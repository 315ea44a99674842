/** The modules of a QR code, row by row; true is dark. */
type Modules = boolean[][];

/** Of each version at the error correction level M: error correction bytes of a block, and data bytes of every block. */
const versions: { correction: number; blocks: number[] }[] = [
  { correction: 10, blocks: [16] },
  { correction: 16, blocks: [28] },
  { correction: 26, blocks: [44] },
  { correction: 18, blocks: [32, 32] },
  { correction: 24, blocks: [43, 43] },
  { correction: 16, blocks: [27, 27, 27, 27] },
  { correction: 18, blocks: [31, 31, 31, 31] },
  { correction: 22, blocks: [38, 38, 39, 39] },
  { correction: 22, blocks: [36, 36, 36, 37, 37] },
  { correction: 26, blocks: [43, 43, 43, 43, 44] },
];

const masks: ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The QR code of a text, in bytes (ISO/IEC 18004); null if the text is too long for one that a phone reads easily. */
export function encodeQR(text: string): Modules | null {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex(({ blocks }, at) => sum(blocks) * 8 >= 4 + lengthBits(at + 1) + bytes.length * 8);
  const found = versions[index];
  if (!found) return null;
  const version = index + 1;
  const words = interleave(dataWords(bytes, version, sum(found.blocks)), found);
  const drawn = masks.map((_, mask) => draw(version, words, mask));
  return drawn.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best));
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

function dataWords(bytes: Uint8Array, version: number, count: number): number[] {
  const bits = (value: number, length: number) => value.toString(2).padStart(length, "0");
  let text = bits(0b0100, 4) + bits(bytes.length, lengthBits(version));
  for (const byte of bytes) text += bits(byte, 8);
  text += "0".repeat(Math.min(4, count * 8 - text.length));
  text += "0".repeat((8 - (text.length % 8)) % 8);
  const words = (text.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2));
  for (let at = 0; words.length < count; at++) words.push(at % 2 === 0 ? 0xec : 0x11);
  return words;
}

function interleave(data: number[], { correction, blocks }: { correction: number; blocks: number[] }): number[] {
  let start = 0;
  const parts = blocks.map((length) => data.slice(start, (start += length)));
  const checks = parts.map((part) => correctionOf(part, correction));
  return [...inTurn(parts), ...inTurn(checks)];
}

function inTurn(lists: number[][]): number[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

/** Multiplication in GF(256) with the polynomial of QR codes. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product;
}

/** The remainder of a Reed-Solomon code. */
function correctionOf(data: number[], length: number): number[] {
  let generator = [1];
  for (let degree = 0, root = 1; degree < length; degree++, root = multiply(root, 2)) {
    const next = [...generator, 0];
    for (const [at, factor] of generator.entries()) next[at + 1] = (next[at + 1] ?? 0) ^ multiply(factor, root);
    generator = next;
  }
  const rest = Array.from<number>({ length }).fill(0);
  for (const word of data) {
    const factor = word ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let at = 0; at < length; at++) rest[at] = (rest[at] ?? 0) ^ multiply(generator[at + 1] ?? 0, factor);
  }
  return rest;
}

/** Appends the remainder of a division by `divisor` to a number of few bits. */
function withCheck(value: number, bits: number, divisor: number): number {
  let rest = value << bits;
  for (let at = 31 - Math.clz32(rest); rest >> bits !== 0; at = 31 - Math.clz32(rest)) rest ^= divisor << (at - bits);
  return (value << bits) | rest;
}

function draw(version: number, words: number[], mask: number): Modules {
  const size = version * 4 + 17;
  const fixed: (boolean | null)[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  const set = (row: number, column: number, isDark: boolean) => {
    const line = fixed[row];
    if (line && column >= 0 && column < size) line[column] = isDark;
  };
  const square = (row: number, column: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let y = -radius; y <= radius; y++)
      for (let x = -radius; x <= radius; x++) set(row + y, column + x, isDark(Math.max(Math.abs(x), Math.abs(y))));
  };

  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const centres = alignmentOf(version);
  const isCorner = (row: number, column: number) =>
    Math.min(row, column) === 6 && (row === column || Math.max(row, column) === size - 7);
  for (const row of centres)
    for (const column of centres) if (!isCorner(row, column)) square(row, column, 2, (distance) => distance !== 1);
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (distance) => distance !== 2 && distance !== 4);

  // Level M has the number 0.
  const format = withCheck(mask, 10, 0x537) ^ 0x5412;
  for (let bit = 0; bit < 15; bit++) {
    const isDark = ((format >> bit) & 1) === 1;
    set(bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
    set(8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, isDark);
  }
  set(size - 8, 8, true);
  if (version >= 7) {
    const shown = withCheck(version, 12, 0x1f25);
    for (let bit = 0; bit < 18; bit++) {
      const [one, other] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
      set(one, other, ((shown >> bit) & 1) === 1);
      set(other, one, ((shown >> bit) & 1) === 1);
    }
  }
  return fill(fixed, words, masks[mask] ?? (() => false));
}

/** From the lower right corner upwards and downwards, in columns of two, around what is fixed. */
function fill(
  fixed: (boolean | null)[][],
  words: number[],
  isFlipped: (row: number, column: number) => boolean,
): Modules {
  const size = fixed.length;
  const drawn = fixed.map((line) => [...line]);
  let bit = 0;
  for (let right = size - 1, turn = 0; right > 0; right -= 2, turn++) {
    if (right === 6) right--;
    for (let at = 0; at < size; at++) {
      const row = turn % 2 === 0 ? size - 1 - at : at;
      for (const column of [right, right - 1]) {
        const line = drawn[row];
        if (!line || line[column] !== null) continue;
        const value = ((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
        line[column] = (value === 1) !== isFlipped(row, column);
        bit++;
      }
    }
  }
  return drawn.map((line) => line.map(Boolean));
}

/** The rows and columns of the centres of the small squares. In three corners, there is a large one instead. */
function alignmentOf(version: number): number[] {
  if (version === 1) return [];
  const last = version * 4 + 10;
  return version < 7 ? [6, last] : [6, 6 + (last - 6) / 2, last];
}

/** Long runs and squares of one colour are hard to read. */
function penaltyOf(modules: Modules): number {
  let penalty = 0;
  const at = (row: number, column: number) => modules[row]?.[column];
  for (let row = 0; row < modules.length; row++)
    for (let column = 0; column < modules.length; column++) {
      const colour = at(row, column);
      const isSame = (down: number, right: number) => at(row + down, column + right) === colour;
      if (isSame(0, 1) && isSame(1, 0) && isSame(1, 1)) penalty += 3;
      if ([1, 2, 3, 4].every((step) => isSame(0, step))) penalty++;
      if ([1, 2, 3, 4].every((step) => isSame(step, 0))) penalty++;
    }
  return penalty;
}
