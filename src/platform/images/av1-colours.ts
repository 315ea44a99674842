import type { Colours } from "./colours.ts";

const sequenceHeader = 1;
const maxUnits = 16;
/** No sequence header is longer. */
const maxLength = 256;

/** The colours that the first units of an AV1 stream name; null if they do not. */
export function readAV1Colours(stream: Uint8Array): Colours | null {
  let at = 0;
  for (let unit = 0; unit < maxUnits && at < stream.length; unit++) {
    const head = stream[at] ?? 0;
    const [type, hasExtension, hasSize] = [(head >> 3) & 15, (head & 4) !== 0, (head & 2) !== 0];
    at += hasExtension ? 2 : 1;
    let length = stream.length - at;
    if (hasSize) [length, at] = readLength(stream, at);
    if (type === sequenceHeader) return readSequence(stream.subarray(at, at + Math.min(length, maxLength)));
    at += length;
  }
  return null;
}

/** Seven bits in each byte, the lowest first; and where the next field begins. */
function readLength(stream: Uint8Array, start: number): [length: number, end: number] {
  let length = 0;
  for (let i = 0; i < 8; i++) {
    const byte = stream[start + i] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return [length, start + i + 1];
  }
  return [length, start + 8];
}

/** By section 5.5 of the specification of AV1. */
function readSequence(header: Uint8Array): Colours | null {
  const bits = createBits(header);
  const profile = bits.take(3);
  bits.skip(1);
  const isReduced = bits.flag();
  if (isReduced) bits.skip(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [bits.take(4) + 1, bits.take(4) + 1];
  bits.skip(widthBits + heightBits);
  if (!isReduced && bits.flag()) bits.skip(7);
  bits.skip(3);
  if (!isReduced) skipTools(bits);
  bits.skip(3);
  const isDeep = bits.flag();
  if (profile === 2 && isDeep) bits.skip(1);
  if (profile !== 1) bits.skip(1);
  const isDescribed = bits.flag();
  const [primaries, transfer] = [bits.take(8), bits.take(8)];
  return isDescribed && bits.isInside() ? { primaries, transfer } : null;
}

function skipOperatingPoints(bits: Bits): void {
  let delayBits = 0;
  if (bits.flag()) {
    bits.skip(64);
    if (bits.flag()) skipExponential(bits);
    if (bits.flag()) {
      delayBits = bits.take(5) + 1;
      bits.skip(42);
    }
  }
  const hasDelay = bits.flag();
  for (let left = bits.take(5); left >= 0; left--) {
    bits.skip(12);
    if (bits.take(5) > 7) bits.skip(1);
    if (delayBits > 0 && bits.flag()) bits.skip(2 * delayBits + 1);
    if (hasDelay && bits.flag()) bits.skip(4);
  }
}

/** A number with as many bits as zeros before it. */
function skipExponential(bits: Bits): void {
  let zeros = 0;
  while (zeros < 32 && !bits.flag()) zeros++;
  if (zeros < 32) bits.skip(zeros);
}

/** Which tools a decoder needs for more than one frame. */
function skipTools(bits: Bits): void {
  bits.skip(4);
  const hasOrder = bits.flag();
  if (hasOrder) bits.skip(2);
  const mayHaveScreenContent = bits.flag() || bits.flag();
  if (mayHaveScreenContent && !bits.flag()) bits.skip(1);
  if (hasOrder) bits.skip(3);
}

type Bits = ReturnType<typeof createBits>;

/** Beyond the end all bits are 0. */
function createBits(bytes: Uint8Array) {
  let at = 0;
  const bit = () => ((bytes[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1;
  const take = (count: number) => {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + bit();
    return value;
  };
  return {
    take,
    flag: () => bit() === 1,
    skip: (count: number) => void (at += count),
    isInside: () => at <= 8 * bytes.length,
  };
}
