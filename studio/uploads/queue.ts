import type { Client } from "../../client/src/index.ts";
import { isStatus } from "../lib/api.ts";
import type { Clock } from "../lib/clock.ts";
import type { Visibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { newID } from "../lib/new-id.ts";
import { createChecker } from "./check.ts";
import { uploadVisibility } from "./chosen-visibility.ts";
import { failureTexts } from "./failure-texts.ts";
import type { UploadStorage } from "./kept.ts";
import { createUploadList } from "./state.ts";
import { createStore, NoPhoto } from "./store-upload.ts";
import { tabID } from "./tab.ts";
import { type ChosenFile, isOver, keyOf, nameOf, type Target, type Upload } from "./upload.ts";

const atOnce = 5;
/** How many one request compares with the server, ahead of those that are sent. */
const maxCheckedPerRequest = 50;
/** Most uploads take less time than this, and the browser need not remember them and copy their files. */
const keepAfter = 2000;

/** What uploads use of the page, and where they are sent. */
type Deps = {
  api: Client;
  storage: UploadStorage;
  clock: Clock;
  /** Who uploads. */
  userID: () => number;
};

export function createQueue({ api, storage, clock, userID }: Deps) {
  const list = createUploadList(storage, clock);
  const checker = createChecker(api);
  const store = createStore(api, list);
  /** The files that this page has. The browser reads them from the disk only when they are sent. */
  const files = new Map<string, File>();
  const sending = new Map<string, AbortController>();
  /** Those of them that the server has: they do not keep others from being sent. */
  const sent = new Set<string>();
  const targets = new Map<string, Target>();
  /** Those that were checked and wait: only a few, because others are checked when these are sent. */
  const ready = new Set<string>();
  let isChecking = false;
  let isCheckedAgain = false;
  let isRetryPlanned = false;

  return {
    list,
    addToQueue,
    resumeUploads,
    pauseUploads,
    continueUploads,
    retryUploads,
    cancelUploads,
    showUploadsTo,
    clearFinished,
    wouldLose,
  };

  function addToQueue(chosen: readonly ChosenFile[], target: Target): void {
    const lost = new Map(list.all().flatMap((upload) => (upload.state === "lost" ? [[keyOf(upload), upload]] : [])));
    const added: Upload[] = [];
    for (const { file, directory } of chosen) {
      const before = lost.get(keyOf(file));
      const upload = before ? { ...before, state: "waiting" as const } : toUpload(file, directory, target, userID());
      files.set(upload.id, file);
      targets.set(upload.id, target);
      added.push(upload);
    }
    list.put(added);
    clock.after(keepAfter, () => void keep(added));
    continueQueue();
  }

  /** For after a reload. One after the other, in the background. Those that are sent before their turn need no copy. */
  async function keep(added: readonly Upload[]): Promise<void> {
    await list.record(added.map(({ id }) => id));
    for (const { id } of added) {
      const file = files.get(id);
      if (!file || !list.find(id)) continue;
      if (!(await storage.keepFile(id, file))) return;
      list.change(id, { isKept: true });
    }
  }

  /** Uploads of an earlier page of this person. */
  async function resumeUploads(kept: readonly Upload[]): Promise<void> {
    for (const upload of kept) {
      // Its record may be older than the copy of its file.
      const file = await storage.readKeptFile(upload.id);
      if (file) files.set(upload.id, file);
      const state = upload.state === "failed" ? "failed" : "waiting";
      list.put([{ ...upload, tabID, isKept: file !== null, state: file ? state : "lost" }]);
    }
    await list.record(kept.map(({ id }) => id));
    continueQueue();
  }

  function pauseUploads(): void {
    list.setSwitches({ isPaused: true });
    for (const controller of sending.values()) controller.abort();
  }

  function continueUploads(): void {
    list.setSwitches({ isPaused: false, isOffline: false });
    continueQueue();
  }

  function retryUploads(ids: readonly string[]): void {
    for (const id of ids) {
      list.change(id, { state: "waiting", problem: null });
      makeReady(id);
    }
    continueQueue();
  }

  /** What was sent of them is deleted on the server. What is stored stays. */
  function cancelUploads(ids: readonly string[]): void {
    for (const id of ids) {
      const upload = list.find(id);
      sending.get(id)?.abort();
      if (upload?.serverID && upload.fileID === null) void api.deleteUpload({ id: upload.serverID }).catch(() => {});
      targets.get(id)?.onCancelled?.();
      release(id);
    }
    list.remove(ids);
    continueQueue();
  }

  /** Those that are not stored yet. What was sent with another choice is sent again. */
  function showUploadsTo(visibility: Visibility): void {
    for (const { id, state, fileID, serverID, isInPrivateFolder, ...upload } of list.all()) {
      if (isOver({ state }) || isInPrivateFolder || upload.visibility === visibility) continue;
      list.change(id, { visibility });
      if (fileID !== null) continue;
      sending.get(id)?.abort();
      storage.forgetProgress(id);
      if (serverID !== null) void api.deleteUpload({ id: serverID }).catch(() => {});
      list.change(id, { serverID: null, sent: 0 });
    }
    continueQueue();
  }

  function clearFinished(): void {
    const over = list.all().filter(isOver);
    list.remove(over.map(({ id }) => id));
  }

  /** Whether something would be lost if the page were closed now. */
  function wouldLose(): boolean {
    return list.all().some((upload) => !isOver(upload) && upload.state !== "lost" && !upload.isKept);
  }

  function continueQueue(): void {
    if (list.isPaused() || list.isOffline()) return;
    for (const id of [...ready].toSorted((one, other) => list.placeOf(one) - list.placeOf(other))) {
      if (sending.size - sent.size >= atOnce) break;
      void send(id);
    }
    void check();
  }

  /** Before the bytes of a file are sent, and ahead of those that are being sent. */
  async function check(): Promise<void> {
    // One that waits for another with the same content can be checked when that one is stored.
    if (isChecking) isCheckedAgain = true;
    if (isChecking || ready.size >= atOnce) return;
    // The first few are sent soon; then there is time to ask for many at once.
    const group = listUnchecked(sending.size === 0 ? atOnce : maxCheckedPerRequest);
    if (group.length === 0) return;
    [isChecking, isCheckedAgain] = [true, false];
    let found: string[] = [];
    try {
      found = await checker.check(filesOf(group), filesOf([...ready, ...sending.keys()]));
    } catch (error) {
      if (isStatus(error, 0)) waitForNetwork();
      else for (const id of group) fail(id, explain(error));
      isCheckedAgain = true;
    }
    isChecking = false;
    for (const id of found) if (list.find(id)?.state === "waiting") ready.add(id);
    if (found.length > 0 || isCheckedAgain) continueQueue();
  }

  /** The first that wait, and are not being sent, and were not checked. */
  function listUnchecked(max: number): string[] {
    const ids: string[] = [];
    for (const { id } of list.waiting()) {
      if (!sending.has(id) && !ready.has(id)) ids.push(id);
      if (ids.length === max) break;
    }
    return ids;
  }

  function filesOf(ids: readonly string[]): Map<string, File> {
    return new Map(
      ids.flatMap((id): [string, File][] => {
        const file = files.get(id);
        return file ? [[id, file]] : [];
      }),
    );
  }

  async function send(id: string): Promise<void> {
    ready.delete(id);
    const upload = list.find(id);
    const content = files.get(id);
    if (!upload || !content) return list.change(id, { state: "lost" });
    const controller = new AbortController();
    const known = checker.find(id) ?? [];
    sending.set(id, controller);
    list.change(id, { state: "sending", problem: null });
    try {
      const onSent = () => {
        sent.add(id);
        continueQueue();
      };
      const { isNew, ...stored } = await store(upload, { content, known, signal: controller.signal, onSent });
      list.change(id, { state: isNew ? "finished" : "existing", sent: upload.size });
      targets.get(id)?.onStored?.(stored);
      release(id);
    } catch (error) {
      // Its photo may have been created although there was no response: the server says so when it is asked again.
      if (sent.has(id)) checker.forget(id);
      if (controller.signal.aborted) list.change(id, { state: "waiting" });
      else if (isStatus(error, 0)) {
        list.change(id, { state: "waiting" });
        waitForNetwork();
      } else fail(id, describe(error));
    }
    sending.delete(id);
    sent.delete(id);
    makeReady(id);
    continueQueue();
  }

  function fail(id: string, problem: string): void {
    list.change(id, { state: "failed", problem });
    targets.get(id)?.onFailed?.();
  }

  /** One that was checked before need not be checked again. */
  function makeReady(id: string): void {
    if (list.find(id)?.state === "waiting" && !sending.has(id) && checker.find(id)) ready.add(id);
  }

  function release(id: string): void {
    ready.delete(id);
    files.delete(id);
    checker.forget(id);
    targets.delete(id);
  }

  function waitForNetwork(): void {
    list.setSwitches({ isOffline: true });
    if (isRetryPlanned) return;
    isRetryPlanned = true;
    clock.after(5000, () => {
      isRetryPlanned = false;
      if (list.isOffline()) {
        list.setSwitches({ isOffline: false });
        continueQueue();
      }
    });
  }
}

function toUpload(file: File, within: string | undefined, target: Target, userID: number): Upload {
  return {
    id: newID(),
    userID,
    tabID,
    name: nameOf(file),
    size: file.size,
    lastModified: file.lastModified,
    path: [target.directory.replace(/\/$/, ""), within?.normalize()].filter(Boolean).join("/") || "/",
    isPhoto: target.isPhoto,
    albumID: target.albumID ?? null,
    visibility: target.isInPrivateFolder ? null : (target.visibility ?? uploadVisibility()),
    isInPrivateFolder: target.isInPrivateFolder ?? false,
    onConflict: target.onConflict ?? "reuse",
    fileID: null,
    state: "waiting",
    sent: 0,
    serverID: null,
    problem: null,
    isKept: false,
  };
}

/** The browser throws a DOMException if the file was changed or removed on the disk. */
function describe(error: unknown): string {
  if (error instanceof NoPhoto) return error.message;
  return error instanceof DOMException ? failureTexts.unreadable : explain(error);
}
