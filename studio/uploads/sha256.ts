/**
 * SHA-256 (FIPS 180-4) of bytes that come in pieces. The browser's own function takes all bytes at once, which is too much
 * memory for a video, and it exists only in secure contexts.
 */
export function createSHA256() {
  const state = Int32Array.from(initial);
  const words = new Int32Array(64);
  const rest = new Uint8Array(64);
  let restLength = 0;
  let total = 0;

  return { update, digest };

  function update(bytes: Uint8Array): void {
    total += bytes.length;
    let at = 0;
    if (restLength > 0) {
      at = Math.min(64 - restLength, bytes.length);
      rest.set(bytes.subarray(0, at), restLength);
      restLength += at;
      if (restLength < 64) return;
      compress(state, words, rest, 0);
      restLength = 0;
    }
    for (; at + 64 <= bytes.length; at += 64) compress(state, words, bytes, at);
    rest.set(bytes.subarray(at));
    restLength = bytes.length - at;
  }

  /** In hexadecimal. */
  function digest(): string {
    const bits = total * 8;
    const padding = new Uint8Array((restLength < 56 ? 56 : 120) - restLength + 8);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits >>> 0);
    update(padding);
    return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

/** One block of 64 bytes. */
function compress(state: Int32Array, words: Int32Array, bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 16; i++) {
    const from = at + 4 * i;
    words[i] = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!;
  }
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const first = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const second = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[i] = (words[i - 16]! + first + words[i - 7]! + second) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const high = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + high + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const low = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const other = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
  state[4] = state[4]! + e;
  state[5] = state[5]! + f;
  state[6] = state[6]! + g;
  state[7] = state[7]! + h;
}

const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);

/** The first 32 bits of the fractional parts of roots of the first primes. */
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
