import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { nextTurn } from "../../platform/event-loop.ts";

const bytesAtOnce = 65_536;
const options = { bom: true, record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true, relax_quotes: true };

/**
 * The rows of a table with commas, semicolons or tabs between its fields, each with the number of its first line. The fields of
 * the last one are null if it begins with quotes that do not end.
 */
export async function* readCSV(text: string): AsyncGenerator<{ line: number; fields: string[] | null }> {
  const parser = parse({ ...options, delimiter: findSeparator(text.replace(/^\uFEFF/, "")) });
  const rows: AsyncIterable<string[]> = Readable.from(split(Buffer.from(text))).pipe(parser);
  let line = 1;
  try {
    for await (const fields of rows) {
      if (fields.length > 1 || fields[0] !== "") yield { line, fields };
      line += fields.join("").split(/\r\n|\n|\r/).length;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { line, fields: null };
  }
}

/** Between the parts, the server does other work. */
async function* split(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += bytesAtOnce) {
    yield bytes.subarray(start, start + bytesAtOnce);
    await nextTurn();
  }
}

/** The one that the first line has most of. */
function findSeparator(source: string): string {
  const [head = ""] = source.slice(0, 10_000).split(/[\r\n]/, 1);
  const counted = [",", ";", "\t"].map((separator) => ({ separator, count: head.split(separator).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}
