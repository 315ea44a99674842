import type { Import } from "../../client/src/index.ts";
import { formatBytes, formatNumber } from "../lib/format.ts";
import { Progress } from "../ui/screen.tsx";
import { isWorking } from "./query.ts";
import { serverTexts } from "./server-texts.ts";
import { moveInTexts as t, programs } from "./texts.ts";

/** How far an import has come, and how long it will take. */
export function ImportProgress({ import: one }: { import: Import }) {
  const heading = headingFor(one);
  const { part, texts } = partOf(one);
  return (
    <div className="grid gap-3">
      <h2 className="text-lg font-semibold">{heading}</h2>
      {one.kind && (
        <p className="text-soft">
          {t.takenFor(one.kind === "folder" ? t.folder : (programs[one.kind] ?? one.kind))}{" "}
          {one.plan && t.seenBy[one.plan.visibility]}
        </p>
      )}
      {isWorking(one) && !one.needsKey && <Progress label={heading} {...(part !== null && { value: part })} />}
      {isWorking(one) && texts.length > 0 && (
        <p role="status" className="text-soft">
          {texts.join(" · ")}
        </p>
      )}
      {one.failure && <p className="wrap-anywhere">{one.failure}</p>}
    </div>
  );
}

/** Another server may be slow to answer, or have another key by now. */
function headingFor(one: Import): string {
  const heading = headingOf(one);
  if (!one.plan?.server || (heading !== "reading" && heading !== "trying")) return t.headings[heading];
  if (one.needsKey) return serverTexts.waits;
  if (one.failure !== null) return serverTexts.retrying;
  return heading === "trying" ? serverTexts.tryingServer : serverTexts.readingServer;
}

function headingOf({ status, phase, isDryRun }: Import): keyof typeof t.headings {
  if (status === "running" && phase === "reading") return isDryRun ? "trying" : "reading";
  if (status === "running") return "photos";
  return status === "finished" && isDryRun ? "tried" : status;
}

function partOf(one: Import): { part: number | null; texts: string[] } {
  const { phase, status, needsKey, seenBytes, bytesPerSecond, secondsLeft, imported, existing, refused, left } = one;
  const { totalItems, totalBytes } = one;
  if (status === "undoing" || needsKey) return { part: null, texts: [] };
  const time = secondsLeft === null ? [] : [t.left(formatWait(secondsLeft))];
  if (phase === "photos") {
    const made = imported + existing + refused;
    const all = made + left;
    return {
      part: all === 0 ? null : made / all,
      texts: [t.photosMade(formatNumber(made), formatNumber(all)), ...time],
    };
  }
  const items = Object.values(one.items).reduce((sum, count) => sum + count, 0);
  if (seenBytes === 0 && totalItems && items > 0) {
    const read = t.readItems(formatNumber(Math.min(items, totalItems)), formatNumber(totalItems));
    return { part: Math.min(1, items / totalItems), texts: [read, ...time] };
  }
  // It is not known how much another server has.
  const counted = totalBytes === null && items > 0 ? [serverTexts.items(formatNumber(items))] : [];
  if (seenBytes === 0) return { part: null, texts: counted };
  const read = t.read(formatBytes(seenBytes), totalBytes === null ? null : formatBytes(totalBytes));
  const rate = bytesPerSecond ? [t.rate(formatBytes(bytesPerSecond))] : [];
  return { part: totalBytes ? Math.min(1, seenBytes / totalBytes) : null, texts: [...counted, read, ...rate, ...time] };
}

/** Rounded: it is only an estimate. */
function formatWait(seconds: number): string {
  if (seconds < 60) return t.seconds(Math.max(5, Math.ceil(seconds / 5) * 5));
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? t.minutes(minutes) : t.hours(Math.round(minutes / 60));
}
