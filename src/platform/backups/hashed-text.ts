import { hashOfText } from "../hash.ts";

/** What follows the hash. */
const end = '"\n}\n';
const hashLength = 64;

/** JSON whose last property is the SHA-256 of all of its other bytes: a change of any byte is noticed. */
export function printHashed(value: object): string {
  const text = `${JSON.stringify({ ...value, sha256: "" }, null, 2)}\n`;
  return insert(text, hashOfText(text));
}

export function isHashRight(text: string): boolean {
  const at = text.length - end.length - hashLength;
  const rest = text.slice(0, at) + end;
  return at > 0 && insert(rest, hashOfText(rest)) === text;
}

const insert = (text: string, hash: string) => text.slice(0, -end.length) + hash + end;
