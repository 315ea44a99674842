/** Texts that are expensive for careless code. Each consists of one unit, repeated. */
const units = {
  slashes: "/",
  "slashes and dots": "../",
  backslashes: "\\",
  spaces: " ",
  dots: ".",
  commas: "a,",
  quotes: '"',
  "percent signs": "%",
  "one-letter words": "a ",
  "one long word": "a",
  zeros: "0",
  "digits and letters": "1a",
  "letters with accents": "é",
  // Two alternating combining classes: normalization has to sort them.
  "combining marks": "\u0316\u0315",
  Han: "漢",
  Thai: "ลำ",
  Hangul: "각",
  // One character that becomes eighteen in compatibility decomposition.
  ligatures: "ﷺ ",
  "emoji families": "👩‍👩‍👧‍👦",
  "no-break spaces": "\u00a0",
} as const;

/** The same for a header, which may contain only printable ASCII. */
const headerUnits = {
  spaces: " \t",
  commas: ",",
  semicolons: ";",
  quotes: '"',
  escapes: '\\"',
  "weak tags": 'W/"a",',
  encodings: "gzip;q=0.",
  "refused encodings": "gzip ; q=0.0 ,",
  formats: "image/avif;q=0 ,",
  "many digits": "1",
  dots: ".",
  ranges: "bytes=0-",
  addresses: "127.0.0.1,",
  "metadata pairs": "a YQ==,",
  parameters: "; a*=utf-8''%61",
} as const;

/** By name, a function that writes such a text of about this many bytes in UTF-8. */
export type Writers = Record<string, (bytes: number) => string>;

/** The letters around the repetition keep it from being trimmed. */
export const worstStrings = toWriters(units, (repetition) => `a${repetition}b`);
export const worstHeaders = toWriters(headerUnits, (repetition) => `${repetition}a`);

function toWriters(texts: Record<string, string>, complete: (repetition: string) => string): Writers {
  const writer = (unit: string) => (bytes: number) =>
    complete(unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit)))));
  return Object.fromEntries(Object.entries(texts).map(([name, unit]) => [name, writer(unit)]));
}
