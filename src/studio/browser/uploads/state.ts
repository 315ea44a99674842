import { createSharedValue } from "../lib/shared-value.ts";
import { forgetUploads, keepUploads } from "./kept.ts";
import { isOver, type Upload } from "./upload.ts";

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
let shownAt = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

export const useUploads = shown.use;

export const findUpload = (id: string): Upload | undefined => uploads.get(id);
export const allUploads = (): Upload[] => [...uploads.values()];
export const isPaused = (): boolean => switches.isPaused;
export const isOffline = (): boolean => switches.isOffline;

export function putUploads(added: readonly Upload[]): void {
  for (const upload of added) uploads.set(upload.id, upload);
  void keepUploads(added);
  show();
}

/** What matters after a reload is kept; progress is not, because the server knows it. */
export function changeUpload(id: string, changes: Partial<Upload>): void {
  const upload = uploads.get(id);
  if (!upload) return;
  const changed = { ...upload, ...changes };
  uploads.set(id, changed);
  if (isOver(changed)) void forgetUploads([id]);
  else if (!isKeptSame(upload, changed)) void keepUploads([changed]);
  show();
}

const isKeptSame = (before: Upload, after: Upload): boolean =>
  (Object.keys(after) as (keyof Upload)[]).every((name) => name === "sent" || before[name] === after[name]);

export function removeUploads(ids: readonly string[]): void {
  for (const id of ids) uploads.delete(id);
  void forgetUploads(ids);
  show();
}

export function setSwitches(changes: Partial<typeof switches>): void {
  switches = { ...switches, ...changes };
  show();
}

/** Many files change often: the tray is drawn at most ten times a second. */
function show(): void {
  timer ??= setTimeout(
    () => {
      timer = null;
      shownAt = performance.now();
      shown.change({ list: [...uploads.values()], ...switches });
    },
    shownAt + 100 - performance.now(),
  );
}
