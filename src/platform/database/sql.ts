export type Value = string | number | null;

/** A piece of SQL with its values beside it: values never become part of the text. */
export type Sql = { readonly text: readonly string[]; readonly values: readonly Value[] };

/** sql`SELECT * FROM photos WHERE id = ${id}`; another piece may stand where a value may. */
export function sql(strings: TemplateStringsArray, ...parts: (Value | Sql)[]): Sql {
  if (!parts.some(isSql)) return { text: strings, values: parts as Value[] };
  const text = [strings[0] ?? ""];
  const values: Value[] = [];
  parts.forEach((part, index) => {
    const pieces = isSql(part) ? part : { text: ["", ""], values: [part] };
    const [first = "", ...more] = pieces.text;
    text[text.length - 1] += first;
    text.push(...more);
    text[text.length - 1] += strings[index + 1] ?? "";
    values.push(...pieces.values);
  });
  return { text, values };
}

/**
 * The values of an IN list. It is filled up to a power of two with its last value, so that lists of any
 * length need only a few different statements.
 */
export function list(values: readonly (string | number)[]): Sql {
  const last = values.at(-1) ?? null;
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)));
  const filled = Array.from({ length }, (_, index) => values[index] ?? last);
  return { text: ["", ...Array<string>(length - 1).fill(", "), ""], values: filled };
}

/** Asks for many values a thousand at a time: engines limit how many one statement takes. */
export async function inChunks<Value, Row>(values: Value[], ask: (some: Value[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < values.length; start += 1000)
    rows.push(...(await ask(values.slice(start, start + 1000))));
  return rows;
}

function isSql(part: Value | Sql): part is Sql {
  return typeof part === "object" && part !== null;
}
