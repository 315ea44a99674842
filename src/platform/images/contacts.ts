import type { ByteRange } from "../byte-range.ts";

/** E-mail addresses, and telephone numbers: at least eight digits. */
const contacts = [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g, /\+?\(?\d(?:[ ()./-]{0,2}\d){7,14}/g];
/** Two years, as in "2019-2024", are no telephone number. */
const years = /^(?:19|20)\d\d\D{1,3}(?:19|20)\d\d$/;
/** A longer text is no credit line. */
const maxLength = 2000;

/** Where a credit line has contact data, in any encoding that contains ASCII. */
export function findContacts(value: Uint8Array): ByteRange[] {
  if (value.length > maxLength) return [{ start: 0, end: value.length }];
  const text = Buffer.from(value).toString("latin1");
  return contacts.flatMap((pattern) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => !years.test(found))
      .map(({ 0: found, index }) => ({ start: index, end: index + found.length })),
  );
}

/** A credit line in which contact data is overwritten by spaces: the same bytes if it has none. */
export function withoutContacts(value: Uint8Array): Uint8Array {
  const found = findContacts(value);
  if (found.length === 0) return value;
  const hidden = Uint8Array.from(value);
  for (const { start, end } of found) hidden.fill(0x20, start, end);
  return hidden;
}
