/**
 * The rows of one table that a statement touches, as the positions of its values: those whose column `id` has one of these
 * values. Null if its text does not show that.
 */
export type RowIDs = readonly number[] | null;

/** As `RowIDs`, or those that the statement returns, with their ids in this column. */
export type WrittenRows = RowIDs | { readonly returned: string };

/**
 * What a statement that begins with a write returns: these rows, or their number. Null if it does not begin with a write, so
 * that nothing can be told from what it returns.
 */
export type ReturnedForm = "rows" | "number" | null;

/** A longer list counts as all rows of the table. */
export const maxIDs = 32;

/**
 * A statement in parts: what is in parentheses is a part of its own, of which `{n}` takes the place in the part around it. The
 * last one is the statement itself. Literals and line breaks are left out.
 */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text.replaceAll(/'[^']*'/g, "''").replaceAll(/\s+/g, " ");
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => `{${parts.push(inner) - 1}}`);
  }
  return [...parts, rest];
}

/** `id = $1` or `id IN ($1, $2)`; `[?$]` is how the engines write the first value. */
const isOne = String.raw`id (?:= [?$](\d+)|IN \{(\d+)\})`;
/** Further conditions only exclude rows, because a part with OR is not looked at. */
const andMore = String.raw`(?=\s*$|\s+AND\b)`;
const orEnd = String.raw`(?=\s*$|\s+(?:AND|ORDER|GROUP|LIMIT|FOR)\b)`;
const inOneSelect = String.raw`(?:(?!\b(?:UNION|EXCEPT|INTERSECT|CASE)\b)[^])`;

/** What comes before the name of a table, but not of a column. Names of columns also come after commas. */
export const inPlaceOfTable = String.raw`(?<=\b(?:FROM|JOIN|INTO|UPDATE|ONLY|USING)\s[\s("]*|,\s*"?)`;

/** The rows that a statement reads, if every place where it names the table reads rows by their ids. */
export function findReadRows(parts: string[], table: string, hasIDs: boolean): RowIDs {
  // Other places name known rows alone (`known` in touched-tables.ts).
  const named = new RegExp(String.raw`${inPlaceOfTable}${table}\b(?!\.| /\*)`, "gi");
  const chosen = new RegExp(String.raw`\bFROM ${table} WHERE ${isOne}${andMore}`, "g");
  const chosenLater = new RegExp(
    String.raw`\b(?:FROM|JOIN) ${table}\b(?! AS\b)${inOneSelect}*?\bWHERE (?:${inOneSelect}*? AND )?${table}\.${isOne}${orEnd}`,
    "g",
  );
  const joined = new RegExp(
    String.raw`\bFROM \{(\d+)\} AS (\w+)\s+(?:LEFT )?JOIN ${table} ON ${table}\.id = \2\.id(?=\s*$|\s+(?:AND|LEFT|JOIN|WHERE)\b)`,
    "g",
  );
  const only = new RegExp(String.raw`^\s*SELECT id FROM ${table} WHERE ${isOne}\s*$`);
  const ids = new Set<number>();
  let isFound = false;
  for (const part of parts) {
    const names = [...part.matchAll(named)].length;
    if (names === 0) continue;
    const places = [
      ...Array.from(part.matchAll(chosen), ([, one, some]) => valuesOf(parts, one, some)),
      ...Array.from(part.matchAll(chosenLater), ([, one, some]) => valuesOf(parts, one, some)),
      ...Array.from(part.matchAll(joined), ([, inner]) => {
        const [match, one, some] = only.exec(parts[Number(inner)] ?? "") ?? [];
        return match === undefined ? null : valuesOf(parts, one, some);
      }),
    ];
    if (!hasIDs || places.length !== names || hasAlternative.test(part)) return null;
    for (const place of places) {
      if (place === null) return null;
      for (const id of place) ids.add(id);
    }
    isFound = true;
  }
  return isFound && ids.size <= maxIDs ? [...ids] : null;
}

/** The table and the rows that a statement changes or deletes itself, without triggers and foreign keys. */
export function findWrittenRows(parts: string[]): { table: string; ids: readonly number[] } | null {
  const statement = parts.at(-1) ?? "";
  const [, updated, deleted, one, some] = written.exec(statement) ?? [];
  const table = updated ?? deleted;
  const ids = valuesOf(parts, one, some);
  return table && ids && ids.length <= maxIDs && !hasAlternative.test(statement) ? { table, ids } : null;
}

/** The table to which a statement adds rows, or changes those that are there already, if it returns the ids of all of them. */
export function findNewRows(parts: string[]): { table: string; ids: { returned: string } } | null {
  const statement = parts.at(-1) ?? "";
  const [, table = "", columns = ""] = /^\s*INSERT INTO (\w+) [^]*\bRETURNING ([^]*)$/i.exec(statement) ?? [];
  const id = new RegExp(String.raw`^(?:${table}\.)?id(?: AS (\w+))?$`, "i");
  for (const column of columns.split(",")) {
    const [match, name = "id"] = id.exec(column.trim()) ?? [];
    if (match !== undefined) return { table, ids: { returned: name } };
  }
  return null;
}

export function returnedBy(parts: string[]): ReturnedForm {
  const statement = parts.at(-1) ?? "";
  if (!/^\s*(?:INSERT|UPDATE|DELETE)\b/i.test(statement)) return null;
  return /\bRETURNING\b/i.test(statement) ? "rows" : "number";
}

const hasAlternative = /\bOR\b/i;
/** A statement that assigns an id would touch two rows. */
const written = new RegExp(
  String.raw`^\s*(?:UPDATE (\w+) SET (?:(?!\b(?:id|WHERE)\b)[^])*|DELETE FROM (\w+) )WHERE ${isOne}(?=\s*$|\s+(?:AND|RETURNING)\b)`,
);

function valuesOf(parts: string[], one: string | undefined, some: string | undefined): RowIDs {
  if (one !== undefined) return [Number(one) - 1];
  const inner = some === undefined ? "" : (parts[Number(some)] ?? "");
  return /^\s*[?$]\d+(?:, [?$]\d+)*\s*$/.test(inner)
    ? Array.from(inner.matchAll(/\d+/g), ([number]) => Number(number) - 1)
    : null;
}
