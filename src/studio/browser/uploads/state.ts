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
/** Those whose record in the browser is out of date. */
const unsaved = new Set<string>();
const interval = 250;
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
  void keepUploads(added);
  show();
}

/** What matters after a reload is kept soon; progress is not, because the server knows it. */
export function changeUpload(id: string, changes: Partial<Upload>): void {
  const upload = uploads.get(id);
  if (!upload) return;
  const changed = { ...upload, ...changes };
  uploads.set(id, changed);
  if (!isKeptSame(upload, changed)) unsaved.add(id);
  show();
}

const isKeptSame = (before: Upload, after: Upload): boolean =>
  (Object.keys(after) as (keyof Upload)[]).every(
    (name) => name === "sent" || before[name] === after[name] || (name === "state" && after[name] === "sending"),
  );

export function removeUploads(ids: readonly string[]): void {
  for (const id of ids) {
    uploads.delete(id);
    unsaved.add(id);
  }
  show();
}

export function setSwitches(changes: Partial<typeof switches>): void {
  switches = { ...switches, ...changes };
  show();
}

/** Many files change often: the tray is drawn, and the records are saved, a few times a second. The end is shown at once. */
function show(): void {
  const isEnd = !allUploads().some(isUnfinished);
  if (timer !== null && !isEnd) return;
  clearTimeout(timer ?? undefined);
  timer = setTimeout(
    () => {
      timer = null;
      shownAt = performance.now();
      shown.change({ list: allUploads(), ...switches });
      save();
    },
    isEnd ? 0 : shownAt + interval - performance.now(),
  );
}

function save(): void {
  const [kept, forgotten]: [Upload[], string[]] = [[], []];
  for (const id of unsaved) {
    const upload = uploads.get(id);
    if (upload && !isOver(upload)) kept.push(upload);
    else forgotten.push(id);
  }
  unsaved.clear();
  if (kept.length > 0) void keepUploads(kept);
  if (forgotten.length > 0) void forgetUploads(forgotten);
}
