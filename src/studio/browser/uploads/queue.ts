import type { Visibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { api, isStatus } from "../lib/api.ts";
import { meQuery } from "../lib/me.ts";
import { newID } from "../lib/new-id.ts";
import { queries } from "../lib/queries.ts";
import { uploadVisibility } from "./chosen-visibility.ts";
import { checkFiles, findChecked, forgetChecked } from "./check.ts";
import { keepFile, progressKey, readKeptFile } from "./kept.ts";
import {
  allUploads,
  changeUpload,
  findUpload,
  isOffline,
  isPaused,
  putUploads,
  recordUploads,
  removeUploads,
  setSwitches,
} from "./state.ts";
import { storeUpload } from "./store-upload.ts";
import { tabID } from "./tab.ts";
import { uploadTexts as t } from "./texts.ts";
import { type Chosen, isOver, isSame, isUnfinished, nameOf, type Target, type Upload } from "./upload.ts";

const atOnce = 5;
/** So many are compared with the server by one request, ahead of those that are sent. */
const checkedAtOnce = 50;
/** Most uploads take less time than this, and the browser need not remember them and copy their files. */
const keepAfter = 2000;

/** The files that this page has. The browser reads them from the disk only when they are sent. */
const files = new Map<string, File>();
const sending = new Map<string, AbortController>();
/** Those of them that the server has: they do not keep others from being sent. */
const sent = new Set<string>();
const targets = new Map<string, Target>();
let isChecking = false;

export function addToQueue(chosen: readonly Chosen[], target: Target): void {
  const { id: userID } = queries.getQueryData(meQuery.queryKey) ?? { id: 0 };
  const lost = allUploads().filter(({ state }) => state === "lost");
  const added: Upload[] = [];
  for (const { file, directory } of chosen) {
    const before = lost.find((upload) => isSame(upload, file));
    const upload = before ? { ...before, state: "waiting" as const } : toUpload(file, directory, target, userID);
    files.set(upload.id, file);
    targets.set(upload.id, target);
    added.push(upload);
  }
  putUploads(added);
  setTimeout(() => void keep(added), keepAfter);
  continueQueue();
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

/** For after a reload. One after the other, in the background. Those that are sent meanwhile need no copy. */
async function keep(added: readonly Upload[]): Promise<void> {
  await recordUploads(added.map(({ id }) => id));
  for (const { id } of added) {
    const file = files.get(id);
    if (!file || !findUpload(id)) continue;
    if (!(await keepFile(id, file))) return;
    changeUpload(id, { isKept: true });
  }
}

/** Uploads of an earlier page of this person. */
export async function resumeUploads(kept: readonly Upload[]): Promise<void> {
  for (const upload of kept) {
    // Its record may be older than the copy of its file.
    const file = await readKeptFile(upload.id);
    if (file) files.set(upload.id, file);
    const state = upload.state === "failed" ? "failed" : "waiting";
    putUploads([{ ...upload, tabID, isKept: file !== null, state: file ? state : "lost" }]);
  }
  await recordUploads(kept.map(({ id }) => id));
  continueQueue();
}

export function pauseUploads(): void {
  setSwitches({ isPaused: true });
  for (const controller of sending.values()) controller.abort();
}

export function continueUploads(): void {
  setSwitches({ isPaused: false, isOffline: false });
  continueQueue();
}

export function retryUploads(ids: readonly string[]): void {
  for (const id of ids) changeUpload(id, { state: "waiting", problem: null });
  continueQueue();
}

/** What was sent of them is deleted on the server. What is stored stays. */
export function cancelUploads(ids: readonly string[]): void {
  for (const id of ids) {
    const upload = findUpload(id);
    sending.get(id)?.abort();
    if (upload?.serverID && upload.fileID === null) void api.deleteUpload({ id: upload.serverID }).catch(() => {});
    targets.get(id)?.onCancelled?.();
    release(id);
  }
  removeUploads(ids);
  continueQueue();
}

/** Those that are not stored yet. What was sent with another choice is sent again. */
export function showUploadsTo(visibility: Visibility): void {
  for (const { id, state, fileID, serverID, isInPrivateFolder, ...upload } of allUploads()) {
    if (isOver({ state }) || isInPrivateFolder || upload.visibility === visibility) continue;
    changeUpload(id, { visibility });
    if (fileID !== null) continue;
    sending.get(id)?.abort();
    localStorage.removeItem(progressKey(id));
    if (serverID !== null) void api.deleteUpload({ id: serverID }).catch(() => {});
    changeUpload(id, { serverID: null, sent: 0 });
  }
  continueQueue();
}

export const clearFinished = (): void =>
  removeUploads(
    allUploads()
      .filter(isOver)
      .map(({ id }) => id),
  );

/** Whether something would be lost if the page were closed now. */
export const wouldLose = (): boolean =>
  allUploads().some((upload) => !isOver(upload) && upload.state !== "lost" && !upload.isKept);

function continueQueue(): void {
  if (isPaused() || isOffline()) return;
  const waiting = allUploads().filter(({ state }) => state === "waiting");
  for (const { id } of waiting) {
    if (sending.size - sent.size >= atOnce) break;
    if (findChecked(id)) void send(id);
  }
  void check();
}

/** Before the bytes of a file are sent, and ahead of those that are being sent. */
async function check(): Promise<void> {
  const waiting = allUploads().filter(({ id, state }) => state === "waiting" && !sending.has(id));
  const unchecked = waiting.filter(({ id }) => !findChecked(id));
  const isAhead = waiting.length - unchecked.length >= atOnce;
  if (isChecking || isAhead || unchecked.length === 0) return;
  isChecking = true;
  // The first few are sent soon; then there is time to ask for many at once.
  const group = unchecked.slice(0, sending.size === 0 ? atOnce : checkedAtOnce);
  let count = 0;
  try {
    count = await checkFiles(filesOf(group), filesOf(allUploads().filter(isUnfinished)));
  } catch (error) {
    if (isStatus(error, 0)) waitForNetwork();
    else for (const { id } of group) fail(id, explain(error));
  }
  isChecking = false;
  if (count > 0) continueQueue();
}

const filesOf = (uploads: readonly Upload[]): Map<string, File> =>
  new Map(
    uploads.flatMap(({ id }): [string, File][] => {
      const file = files.get(id);
      return file ? [[id, file]] : [];
    }),
  );

async function send(id: string): Promise<void> {
  const upload = findUpload(id);
  const content = files.get(id);
  if (!upload || !content) return changeUpload(id, { state: "lost" });
  const controller = new AbortController();
  const known = findChecked(id) ?? [];
  sending.set(id, controller);
  changeUpload(id, { state: "sending", problem: null });
  try {
    const onSent = () => {
      sent.add(id);
      continueQueue();
    };
    const { isNew, ...stored } = await storeUpload(upload, { content, known, signal: controller.signal, onSent });
    changeUpload(id, { state: isNew ? "finished" : "existing", sent: upload.size });
    targets.get(id)?.onStored?.(stored);
    release(id);
  } catch (error) {
    // Its photo may have been created although there was no response: the server says so when it is asked again.
    if (sent.has(id)) forgetChecked(id);
    if (controller.signal.aborted) changeUpload(id, { state: "waiting" });
    else if (isStatus(error, 0)) {
      changeUpload(id, { state: "waiting" });
      waitForNetwork();
    } else fail(id, describe(error));
  }
  sending.delete(id);
  sent.delete(id);
  continueQueue();
}

/** The browser throws a DOMException if the file was changed or removed on the disk. */
const describe = (error: unknown): string => (error instanceof DOMException ? t.unreadable : explain(error));

function fail(id: string, problem: string): void {
  changeUpload(id, { state: "failed", problem });
  targets.get(id)?.onFailed?.();
}

function release(id: string): void {
  files.delete(id);
  forgetChecked(id);
  targets.delete(id);
}

let retryTimer: ReturnType<typeof setTimeout> | null = null;

function waitForNetwork(): void {
  setSwitches({ isOffline: true });
  retryTimer ??= setTimeout(() => {
    retryTimer = null;
    if (isOffline()) {
      setSwitches({ isOffline: false });
      continueQueue();
    }
  }, 5000);
}
