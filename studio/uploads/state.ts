import type { Clock } from "../lib/clock.ts";
import { createSharedValue } from "../lib/shared-value.ts";
import type { UploadStorage } from "./kept.ts";
import { isOver, isUnfinished, type Upload } from "./upload.ts";

/** The uploads of this tab, as the tray shows them. */
export type Uploads = {
  list: readonly Upload[];
  isPaused: boolean;
  /** The server cannot be reached: sending continues automatically when it can. */
  isOffline: boolean;
};

export type UploadList = ReturnType<typeof createUploadList>;

const isUnsent = (upload: Upload): boolean => isUnfinished(upload) && upload.fileID === null;

/** What is done for every upload must not depend on how many there are: there can be many thousands. */
export function createUploadList(storage: Pick<UploadStorage, "keepUploads" | "forgetUploads">, clock: Clock) {
  const uploads = new Map<string, Upload>();
  /** In the order in which they were added; each has its place. */
  let order: string[] = [];
  const places = new Map<string, number>();
  /** None before this place is waiting. */
  let firstWaiting = 0;
  const counts = { unfinished: 0, unsent: 0 };
  let switches = { isPaused: false, isOffline: false };
  const shown = createSharedValue<Uploads>({ list: [], ...switches });
  /** Those that have a record in the browser, for after a reload. */
  const recorded = new Set<string>();
  /** Those whose record is out of date. */
  const unsaved = new Set<string>();
  let shownAt = 0;
  let cancelShow: (() => void) | null = null;

  return {
    use: shown.use,
    shown: shown.read,
    find: (id: string): Upload | undefined => uploads.get(id),
    all,
    waiting,
    placeOf: (id: string): number => places.get(id) ?? 0,
    /** Whether there are files that the server does not have yet. */
    hasUnsent: (): boolean => counts.unsent > 0,
    isPaused: (): boolean => switches.isPaused,
    isOffline: (): boolean => switches.isOffline,
    put,
    record,
    change,
    remove,
    setSwitches,
  };

  function all(): Upload[] {
    return [...uploads.values()];
  }

  /** Those that wait for their turn, in their order. */
  function* waiting(): Generator<Upload> {
    const isWaiting = (upload: Upload | undefined) => upload?.state === "waiting";
    while (firstWaiting < order.length && !isWaiting(uploads.get(order[firstWaiting] ?? ""))) firstWaiting++;
    for (let place = firstWaiting; place < order.length; place++) {
      const upload = uploads.get(order[place] ?? "");
      if (upload && isWaiting(upload)) yield upload;
    }
  }

  /** Sets or removes it. */
  function write(id: string, upload: Upload | null): void {
    const before = uploads.get(id);
    for (const [one, sign] of [
      [before, -1],
      [upload, 1],
    ] as const) {
      if (one && isUnfinished(one)) counts.unfinished += sign;
      if (one && isUnsent(one)) counts.unsent += sign;
    }
    if (!upload) {
      uploads.delete(id);
      places.delete(id);
      if (uploads.size === 0) [order, firstWaiting] = [[], 0];
      return;
    }
    uploads.set(id, upload);
    if (!before) places.set(id, order.push(id) - 1);
    if (upload.state === "waiting") firstWaiting = Math.min(firstWaiting, places.get(id) ?? 0);
  }

  function put(added: readonly Upload[]): void {
    for (const upload of added) write(upload.id, upload);
    show();
  }

  /** From now on, the browser remembers these uploads until they are over. */
  async function record(ids: readonly string[]): Promise<void> {
    const unfinished = ids.flatMap((id) => uploads.get(id) ?? []).filter((upload) => !isOver(upload));
    for (const { id } of unfinished) recorded.add(id);
    await storage.keepUploads(unfinished);
  }

  /** What matters after a reload is kept soon; progress is not, because the server knows it. */
  function change(id: string, changes: Partial<Upload>): void {
    const upload = uploads.get(id);
    if (!upload) return;
    const changed = { ...upload, ...changes };
    write(id, changed);
    if (recorded.has(id) && !isKeptSame(upload, changed)) unsaved.add(id);
    show();
  }

  function remove(ids: readonly string[]): void {
    for (const id of ids) {
      write(id, null);
      if (recorded.has(id)) unsaved.add(id);
    }
    show(true);
  }

  function setSwitches(changes: Partial<typeof switches>): void {
    switches = { ...switches, ...changes };
    show(true);
  }

  /** Progress is drawn, and records are saved, twice a second. What a person does, and the end, is shown at once. */
  function show(isUrgent = counts.unfinished === 0): void {
    if (cancelShow && !isUrgent) return;
    cancelShow?.();
    // The first requests are sent before the tray is drawn for the first time.
    const delay = isUrgent ? 0 : Math.max(50, shownAt + 500 - clock.now());
    cancelShow = clock.after(delay, () => {
      cancelShow = null;
      shownAt = clock.now();
      shown.change({ list: all(), ...switches });
      save();
    });
  }

  function save(): void {
    const [kept, forgotten]: [Upload[], string[]] = [[], []];
    for (const id of unsaved) {
      const upload = uploads.get(id);
      if (upload && !isOver(upload)) kept.push(upload);
      else if (recorded.delete(id)) forgotten.push(id);
    }
    unsaved.clear();
    if (kept.length > 0) void storage.keepUploads(kept);
    if (forgotten.length > 0) void storage.forgetUploads(forgotten);
  }
}

const isKeptSame = (before: Upload, after: Upload): boolean =>
  (Object.keys(after) as (keyof Upload)[]).every(
    (name) => name === "sent" || before[name] === after[name] || (name === "state" && after[name] === "sending"),
  );
