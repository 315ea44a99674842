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

const form =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]{1,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?[ ]?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;

/** A time without a zone is taken as UTC. */
export function readTime(value: unknown): number | null {
  if (typeof value !== "string") return null;
  const found = form.exec(value.trim());
  if (!found) {
    const time = Date.parse(value);
    return Number.isFinite(time) ? time : null;
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(found[7] ?? "") ?? [];
  const offset = sign ? (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) : 0;
  return Date.UTC(year, month - 1, day, hour, minute - offset, second);
}
