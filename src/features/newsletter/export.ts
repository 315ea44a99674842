import type { Reader } from "../../platform/database/database.ts";
import type { Stream } from "../../platform/http/content.ts";
import { listSubscribersAfter, toSubscriber } from "./store.ts";

const rowsAtOnce = 500;

/** All subscribers as a table, which can be imported again. */
export function exportSubscribers(db: Reader): Stream {
  const encoder = new TextEncoder();
  let last: number | null = null;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (last === null)
        controller.enqueue(
          encoder.encode(printCSV(["email", "name", "state", "confirmed_at", "created_at", "ended_at"])),
        );
      const rows = await listSubscribersAfter(db, last ?? 0, rowsAtOnce);
      const lines = rows.map((row) => {
        const { email, name, state, confirmedAt, createdAt, endedAt } = toSubscriber(row);
        return printCSV([email, name, state, confirmedAt, createdAt, endedAt]);
      });
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      last = rows.at(-1)?.id ?? 0;
      if (rows.length < rowsAtOnce) controller.close();
    },
  });
  const headers = {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": 'attachment; filename="subscribers.csv"',
  };
  return { headers, body };
}

/** A line of a table. A spreadsheet must not take a field for a formula. */
const printCSV = (fields: readonly (string | null)[]): string =>
  `${fields.map((field) => printField(field ?? "")).join(",")}\r\n`;

function printField(field: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
