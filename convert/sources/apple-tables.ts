import { parse } from "csv-parse/sync";
import { fold } from "../../src/platform/text.ts";

/** What Apple knows of a picture. */
export type AppleRow = { isFavourite: boolean; isHidden: boolean; isDeleted: boolean; takenAt: number | null };

const options = {
  bom: true,
  skip_empty_lines: true,
  relax_column_count: true,
  relax_quotes: true,
  trim: true,
} as const;

/** The rows of `Photo Details.csv` by the name of the picture. Of pictures with the same name, what holds for all. */
export function readPhotoTable(text: string): Map<string, AppleRow> {
  const rows = new Map<string, AppleRow>();
  const records = parse<Record<string, string>>(text, { ...options, columns: true });
  for (const record of records) {
    const is = (column: string) => record[column]?.toLowerCase() === "yes";
    const key = fold(record["imgName"] ?? "");
    if (key === "") continue;
    const row = {
      isFavourite: is("favorite"),
      isHidden: is("hidden"),
      isDeleted: is("deleted"),
      takenAt: parseDate(record["originalCreationDate"] ?? ""),
    };
    const other = rows.get(key);
    rows.set(key, other ? both(row, other) : row);
  }
  return rows;
}

const both = (one: AppleRow, other: AppleRow): AppleRow => ({
  isFavourite: one.isFavourite && other.isFavourite,
  isHidden: one.isHidden || other.isHidden,
  isDeleted: one.isDeleted && other.isDeleted,
  takenAt: one.takenAt === other.takenAt ? one.takenAt : null,
});

/** The names in the first column of the table of an album. */
export function readAlbumTable(text: string): string[] {
  const rows = parse(text, { ...options, columns: false });
  return rows
    .slice(1)
    .map(([name = ""]) => name)
    .filter(Boolean);
}

const months = "january february march april may june july august september october november december".split(" ");

/** `Saturday June 4,2022 12:11 PM GMT` */
function parseDate(text: string): number | null {
  const [, month = "", day, year, hours, minutes, half] =
    /\b([a-z]{3,9}) (\d{1,2}), ?(\d{4}) (\d{1,2}):(\d\d) ?(am|pm)/i.exec(text.slice(0, 80)) ?? [];
  const index = months.indexOf(month.toLowerCase());
  if (index < 0) return null;
  const hour = (Number(hours) % 12) + (half?.toLowerCase() === "pm" ? 12 : 0);
  return Date.UTC(Number(year), index, Number(day), hour, Number(minutes));
}
