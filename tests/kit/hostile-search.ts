const alphabet = "abcdefghijklmnopqrstuvwxyz".split("");
const doubled = alphabet.map((letter) => letter + letter);
const unit = `${[...alphabet, ...doubled].join(" ")} `;

/** A text of a few words that are all common. */
export const hostileText = (length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Queries that once took seconds on long texts such as this one, and match nothing in it. */
export const hostileQueries: Record<string, string> = {
  "a phrase of many words": `"${"a b c ".repeat(15)}z"`,
  "a phrase of one word": `"${"a ".repeat(95)}z"`,
  "many terms": `${alphabet.join(" ")} ${alphabet.join(" ")} 0`,
  "many phrases": alphabet.map((letter, index) => `"${letter} ${alphabet[(index + 7) % 26]}"`).join(" "),
  "many prefixes": `${doubled.join(" ")} 0`,
  "a file name of many words": `${alphabet.toReversed().join("-")}.jpg`,
};
