import { createSharedValue } from "../lib/shared-value.ts";
import { forgetUploads, keepUploads } from "./kept.ts";
import { isOver, isUnfinished, type Upload } from "./upload.ts";

/** The uploads of this tab, as the tray shows them. */
export type Uploads = {
  list: readonly Upload[];
  isPaused: boolean;
  /** The server cannot be reached: sending goes on by itself when it can. */
  isOffline: boolean;
};

const uploads = new Map<string, Upload>();
let switches = { isPaused: false, isOffline: false };
const shown = createSharedValue<Uploads>({ list: [], ...switches });
/** Those that have a record in the browser, for after a reload. */
const recorded = new Set<string>();
/** Those whose record is out of date. */
const unsaved = new Set<string>();
let shownAt = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

export const useUploads = shown.use;

export const findUpload = (id: string): Upload | undefined => uploads.get(id);
export const allUploads = (): Upload[] => [...uploads.values()];
/** Whether there are files that the server does not have yet. */
export const hasUnsent = (): boolean => allUploads().some((upload) => isUnfinished(upload) && upload.fileID === null);
export const isPaused = (): boolean => switches.isPaused;
export const isOffline = (): boolean => switches.isOffline;

export function putUploads(added: readonly Upload[]): void {
  for (const upload of added) uploads.set(upload.id, upload);
  show();
}

/** From now on, the browser remembers these uploads until they are over. */
export async function recordUploads(ids: readonly string[]): Promise<void> {
  const unfinished = ids.flatMap((id) => findUpload(id) ?? []).filter((upload) => !isOver(upload));
  for (const { id } of unfinished) recorded.add(id);
  await keepUploads(unfinished);
}

/** What matters after a reload is kept soon; progress is not, because the server knows it. */
export function changeUpload(id: string, changes: Partial<Upload>): void {
  const upload = uploads.get(id);
  if (!upload) return;
  const changed = { ...upload, ...changes };
  uploads.set(id, changed);
  if (recorded.has(id) && !isKeptSame(upload, changed)) unsaved.add(id);
  show();
}

const isKeptSame = (before: Upload, after: Upload): boolean =>
  (Object.keys(after) as (keyof Upload)[]).every(
    (name) => name === "sent" || before[name] === after[name] || (name === "state" && after[name] === "sending"),
  );

export function removeUploads(ids: readonly string[]): void {
  for (const id of ids) {
    uploads.delete(id);
    if (recorded.has(id)) unsaved.add(id);
  }
  show(true);
}

export function setSwitches(changes: Partial<typeof switches>): void {
  switches = { ...switches, ...changes };
  show(true);
}

/** Progress is drawn, and records are saved, twice a second. What a person does, and the end, is shown at once. */
function show(isUrgent = !allUploads().some(isUnfinished)): void {
  if (timer !== null && !isUrgent) return;
  clearTimeout(timer ?? undefined);
  timer = setTimeout(
    () => {
      timer = null;
      shownAt = performance.now();
      shown.change({ list: allUploads(), ...switches });
      save();
    },
    // The first requests are sent before the tray is drawn for the first time.
    isUrgent ? 0 : Math.max(50, shownAt + 500 - performance.now()),
  );
}

function save(): void {
  const [kept, forgotten]: [Upload[], string[]] = [[], []];
  for (const id of unsaved) {
    const upload = uploads.get(id);
    if (upload && !isOver(upload)) kept.push(upload);
    else if (recorded.delete(id)) forgotten.push(id);
  }
  unsaved.clear();
  if (kept.length > 0) void keepUploads(kept);
  if (forgotten.length > 0) void forgetUploads(forgotten);
}
