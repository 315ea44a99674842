import { randomBytes } from "../secrets.ts";

// RFC 6238 with what every authenticator app understands: SHA-1, six digits, thirty seconds.
const digits = 6;
const stepMs = 30_000;
/** Clocks may differ by one step, and people need a moment to type. */
const tolerance = 1;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** 160 random bits, in base 32. */
export const createTOTPSecret = (): string => toBase32(randomBytes(20));

export const stepAt = (time: number): number => Math.floor(time / stepMs);

export const isTOTPCode = (text: string): boolean => /^\d{6}$/.test(text);

/** The code of a time step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = new Bun.CryptoHasher("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, "0");
}

/** The time step that has this code, if it is about now and later than `lastStep`; otherwise null. */
export function findStep(secret: string, code: string, lastStep: number): number | null {
  const now = stepAt(Date.now());
  for (let step = now - tolerance; step <= now + tolerance; step++) {
    if (step > lastStep && totpCode(secret, step) === code) return step;
  }
  return null;
}

/** What an authenticator app reads, as a link or a QR code. */
export function totpURI(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer.replaceAll(":", " "))}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join("");
}

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}
