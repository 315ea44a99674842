export type Value = string | number | null;

/** A piece of SQL with separate values: values never become part of the text. */
export type Sql = { readonly text: readonly string[]; readonly values: readonly Value[] };

/** sql`SELECT * FROM records WHERE id = ${id}`. A value may also be another piece of SQL. */
export function sql(strings: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  const nested: Text[] = [];
  const values: Value[] = [];
  // Loops, because this runs dozens of times per request.
  for (const part of parts) {
    if (!isSql(part)) values.push(part);
    else {
      nested.push(part.text);
      for (const value of part.values) values.push(value);
    }
  }
  return { text: nested.length === 0 ? strings : joinTexts(strings, parts, nested), values };
}

type Text = readonly string[];
type Joined = { nested: Text[]; text: Text };

const joinedTexts = new WeakMap<TemplateStringsArray, Joined[]>();
const maxKnown = 8;

/**
 * The text of a template with the texts of its nested pieces. A template is nearly always used with the same few sets
 * of pieces. For those it returns the same array every time, by which drivers recognize a statement that they have
 * prepared.
 */
function joinTexts(strings: TemplateStringsArray, parts: (Value | Sql)[], nested: Text[]): Text {
  const known = joinedTexts.get(strings) ?? [];
  for (const joined of known) if (isSame(joined.nested, nested)) return joined.text;
  const text = [strings[0] ?? ""];
  parts.forEach((part, index) => {
    const [first = "", ...more] = isSql(part) ? part.text : ["", ""];
    text[text.length - 1] += first;
    text.push(...more);
    text[text.length - 1] += strings[index + 1] ?? "";
  });
  joinedTexts.set(strings, [{ nested, text }, ...known].slice(0, maxKnown));
  return text;
}

function isSame(some: Text[], others: Text[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}

const rawPieces = new Map<string, Sql>();

/** A piece of SQL as text, such as the name of a table: always from the code, never from a request. */
export function raw(text: string): Sql {
  let known = rawPieces.get(text);
  if (!known) rawPieces.set(text, (known = { text: [text], values: [] }));
  return known;
}

/**
 * A column of numbers, written as a sum, so that no database looks for rows by it or reads them in its order: for a
 * condition on rows that are found faster by another column.
 */
export const unindexed = (column: string): Sql => raw(`${column} + 0`);

/** Pieces with commas between them, such as the rows of an INSERT. */
export const joined = (parts: Sql[]): Sql => joinedBy(", ", parts);

export function joinedBy(separator: string, parts: Sql[]): Sql {
  return { text: joinedText(separator, parts), values: parts.flatMap((part) => part.values) };
}

const repeatedTexts = new WeakMap<Text, Map<string, Text>>();

/** Rows of one template have the same text: as many of them as before are the same array, like other texts (`joinTexts`). */
function joinedText(separator: string, parts: Sql[]): Text {
  const first = parts[0]?.text;
  if (!first || parts.some((part) => part.text !== first)) return joinAll(separator, parts);
  const known = repeatedTexts.get(first) ?? new Map<string, Text>();
  const key = `${parts.length}${separator}`;
  const text = known.get(key) ?? joinAll(separator, parts);
  if (known.size >= maxKnown && !known.has(key)) known.clear();
  repeatedTexts.set(first, known.set(key, text));
  return text;
}

function joinAll(separator: string, parts: Sql[]): Text {
  const text: string[] = [];
  for (const part of parts) {
    const [first = "", ...more] = part.text;
    if (text.length === 0) text.push(first);
    else text[text.length - 1] += separator + first;
    text.push(...more);
  }
  return text;
}

const listTexts = new Map<number, readonly string[]>();

/**
 * The values of an IN list. It is padded to a power of two with its last value, so that lists of all lengths need only
 * a few different statements.
 */
export function list(values: readonly (string | number)[]): Sql {
  const last = values.at(-1) ?? null;
  let length = 1;
  while (length < values.length) length *= 2;
  let text = listTexts.get(length);
  if (!text) listTexts.set(length, (text = ["", ...Array<string>(length - 1).fill(", "), ""]));
  const filled: Value[] = [...values];
  while (filled.length < length) filled.push(last);
  return { text, values: filled };
}

const firstTexts = new WeakMap<Text, Map<number, Text>>();

/**
 * The first rows of a SELECT with an order, after `offset` others. Its text says how many rows there are at most: PostgreSQL keeps
 * one plan for all values, and without that it plans for a tenth of the table. Few limits, so that there are few different texts.
 */
export function firstOf(select: Sql, size: number, offset = 0): Sql {
  let most = 16;
  while (most < size + offset) most *= 4;
  let texts = firstTexts.get(select.text);
  if (!texts) firstTexts.set(select.text, (texts = new Map()));
  let text = texts.get(most);
  if (!text) {
    const [first = "", ...rest] = select.text;
    const pieces = [`SELECT * FROM (${first}`, ...rest];
    pieces[pieces.length - 1] += ` LIMIT ${most}) AS chosen LIMIT `;
    texts.set(most, (text = [...pieces, " OFFSET ", ""]));
  }
  return { text, values: [...select.values, size, offset] };
}

/** Queries many values a thousand at a time, because engines limit the number of values per statement. */
export async function inChunks<Value, Row>(values: Value[], ask: (some: Value[]) => Promise<Row[]>): Promise<Row[]> {
  if (values.length <= 1000) return values.length === 0 ? [] : ask(values);
  const rows: Row[] = [];
  for (let start = 0; start < values.length; start += 1000)
    rows.push(...(await ask(values.slice(start, start + 1000))));
  return rows;
}

function isSql(part: Value | Sql): part is Sql {
  return typeof part === "object" && part !== null;
}
