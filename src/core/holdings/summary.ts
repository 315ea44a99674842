import { type Part, storedColumnsOf, type Table } from "../../platform/database/tables.ts";
import type { RecordKind } from "../records/record-kind.ts";
import { type Amount, createTotals, type Totals, unfinished } from "./count.ts";

export const nothing: Amount = { count: 0, bytes: 0 };
export const noTotals: Totals = createTotals();

/** The fields that count kinds of records. */
export const countedFields = (kinds: RecordKind[]): string[] => kinds.flatMap(({ counted }) => counted?.field ?? []);

/** The fields for the bytes that modules declare. */
export const declaredParts = (tables: Table[]): Part[] => storedColumnsOf(tables).flatMap(({ part }) => part ?? []);

/** How many records of each kind there are. */
export const countsOf = ({ parts }: Totals, fields: string[]): Record<string, number> =>
  Object.fromEntries(fields.map((field) => [field, (parts.get(field) ?? nothing).count]));

/** How much there is of each declared part. */
export const amountsOf = ({ parts }: Totals, declared: Part[]): Record<string, Amount> =>
  Object.fromEntries(declared.map(({ field }) => [field, parts.get(field) ?? nothing]));

/** What the parts add up to. `bytes` are all that is stored, also in the trash. */
export function summarize({ parts, stored }: Totals) {
  const amountOf = (part: string) => parts.get(part) ?? nothing;
  const [images, videos, otherFiles] = [amountOf("images"), amountOf("videos"), amountOf("otherFiles")];
  return {
    files: addUp(images, videos, otherFiles),
    images,
    videos,
    otherFiles,
    trash: amountOf("trash"),
    bytes: stored.bytes,
    unfinishedUploads: amountOf(unfinished),
    directories: amountOf("directories").count,
  };
}

function addUp(...amounts: Amount[]): Amount {
  const sum = (field: keyof Amount) => amounts.reduce((total, amount) => total + amount[field], 0);
  return { count: sum("count"), bytes: sum("bytes") };
}
