import { type Progress, secondsLeft, type Totals } from "../features/imports/progress.ts";
import type { ItemResult } from "../features/imports/items.ts";
import type { Summary } from "../features/imports/run-import.ts";
import { describeTakenFor, type TakenFor } from "./taken-for.ts";

const reportEveryMs = 2000;

/** Lines for people, or one JSON document, which is written item by item. */
export function createImportOutput(isJSON: boolean, totals: Totals) {
  const started = Date.now();
  let next = started;
  let isFirst = true;
  let head = "{";
  const begin = () => `${head}\n  "report": [`;
  return {
    /** Comes before everything else. */
    begin(source: TakenFor, owner: string): void {
      if (isJSON) head = `{\n  "source": ${JSON.stringify({ ...source, owner })},`;
      else console.log(describeTakenFor(source, owner));
    },
    item(item: ItemResult): void {
      if (isJSON) {
        process.stdout.write(`${isFirst ? begin() : ","}\n    ${JSON.stringify(toLine(item))}`);
        isFirst = false;
      } else if (item.reason)
        console.log(`${item.outcome === "refused" ? "Not imported" : "Note"}: ${quote(item.name)}: ${item.reason}`);
    },
    progress(done: Progress): void {
      if (isJSON || Date.now() < next) return;
      next = Date.now() + reportEveryMs;
      console.log(describeProgress(done, Date.now() - started, totals));
    },
    end(summary: Summary, hasPhotos: boolean): void {
      if (isJSON) {
        const { seenBytes: _seen, ...counts } = summary;
        const rest = JSON.stringify(counts, null, 2).slice(2);
        return void process.stdout.write(`${isFirst ? begin() : "\n  "}],\n${rest}\n`);
      }
      console.log(describe(summary));
      if (summary.import === null || !hasPhotos) return;
      console.log(`The server creates the photos: GET /api/v1/imports/${summary.import} shows the progress.`);
    },
  };
}

function describeProgress(done: Progress, ms: number, totals: Totals): string {
  const { items, bytes } = done;
  const rate = `${(bytes / 1e6 / (ms / 1000)).toFixed(1)} MB/s`;
  const left = secondsLeft({ ...done, totalItems: totals.items, totalBytes: totals.bytes, workedMs: ms });
  const parts = [`${items} items so far`, `${(bytes / 1e6).toFixed(1)} MB`, rate];
  return [...parts, ...(left === null ? [] : [describeTime(left)])].join(", ");
}

function describeTime(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.ceil(seconds))} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${(minutes / 60).toFixed(1)} h left`;
}

const toLine = ({ kind, key, name, outcome, reason, recordID }: ItemResult) => ({
  kind,
  key,
  name,
  outcome,
  reason,
  recordID,
});

function describe({ import: id, added, known, changed, refused, noted, bytes }: Summary): string {
  const notes = noted === 0 ? "" : `, ${noted} ${noted === 1 ? "note" : "notes"}`;
  const counts = `${added} added (${(bytes / 1e6).toFixed(1)} MB), ${known} known already, ${changed} changed, ${refused} refused${notes}`;
  return id === null ? `Nothing was written. An import would have: ${counts}.` : `Import ${id}: ${counts}.`;
}

/** A name in a source may contain control characters for the terminal. */
function quote(path: string): string {
  return JSON.stringify(path).replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
