export type Fields = Record<string, unknown>;

/** The first of these fields that has a text. */
export function textField(fields: Fields, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number") return String(value);
  }
  return "";
}

/** A list, or one text. Numbers and truth values become texts: `2019` and `true` are tags, too. */
export function listField(fields: Fields, name: string, separator?: RegExp): string[] {
  const value = fields[name];
  const all = Array.isArray(value) ? value : typeof value === "string" && separator ? value.split(separator) : [value];
  return all
    .filter((one) => ["string", "number", "boolean"].includes(typeof one))
    .map((one) => String(one).trim())
    .filter(Boolean);
}

export const isOn = (value: unknown): boolean => value === true || value === "true" || value === "yes";
export const isOff = (value: unknown): boolean => value === false || value === "false" || value === "no";
