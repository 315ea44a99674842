import type { RecordKind } from "../record-kind.ts";
import type { Amount, Totals } from "./count.ts";

export const nothing: Amount = { count: 0, bytes: 0 };
export const noTotals: Totals = { parts: new Map(), months: new Map() };

/** The fields that count kinds of records. */
export const countedFields = (kinds: RecordKind[]): string[] => kinds.flatMap(({ counted }) => counted?.field ?? []);

/** How many records of each kind there are. */
export const countsOf = ({ parts }: Totals, fields: string[]): Record<string, number> =>
  Object.fromEntries(fields.map((field) => [field, (parts.get(field) ?? nothing).count]));

/** What the parts add up to. `bytes` are those of files, even in the trash, of versions, of posters and of texts. */
export function summarize({ parts }: Totals) {
  const amountOf = (part: string) => parts.get(part) ?? nothing;
  const [images, videos, otherFiles] = [amountOf("images"), amountOf("videos"), amountOf("otherFiles")];
  const [trash, versions, posters] = [amountOf("trash"), amountOf("versions"), amountOf("posters")];
  const texts = amountOf("texts");
  const files = addUp(images, videos, otherFiles);
  return {
    files,
    images,
    videos,
    otherFiles,
    trash,
    versions,
    posters,
    texts,
    bytes: addUp(files, trash, versions, posters, texts).bytes,
    unfinishedUploads: amountOf("unfinishedUploads"),
    directories: amountOf("directories").count,
  };
}

function addUp(...amounts: Amount[]): Amount {
  const sum = (field: keyof Amount) => amounts.reduce((total, amount) => total + amount[field], 0);
  return { count: sum("count"), bytes: sum("bytes") };
}
