import { lazy, Suspense, useEffect } from "react";
import { isLeaving, keptInTab } from "../lib/account.ts";
import { useMe } from "../lib/me.ts";
import { hasFiles } from "./read-dropped.ts";
import { continueUploads, resumeUploads, uploadList, wouldLose } from "./tab-queue.ts";
import { adoptUploads, doneBefore } from "./tab.ts";

const TrayPanel = lazy(async () => ({ default: (await import("./tray-panel.tsx")).TrayPanel }));

/** The uploads that are under way. Also continues those that a reload has interrupted. */
export function UploadTray() {
  const { id } = useMe();
  const { list } = uploadList.use();
  useEffect(() => resumeOnce(id), [id]);
  useEffect(followPage, []);
  if (list.length === 0) return null;
  return (
    <Suspense>
      <TrayPanel />
    </Suspense>
  );
}

let hasResumed = false;

function resumeOnce(userID: number): void {
  if (hasResumed) return;
  hasResumed = true;
  void adoptUploads(userID).then((kept) => {
    if (kept.length === 0) keptInTab.remove(doneBefore);
    return resumeUploads(kept);
  });
}

function followPage() {
  const warn = (event: BeforeUnloadEvent) => {
    if (wouldLose() && !isLeaving()) event.preventDefault();
  };
  const connect = () => {
    if (uploadList.isOffline()) continueUploads();
  };
  // Without this, the browser would open a file that is dropped beside a zone, and leave the page.
  const refuse = (event: DragEvent) => {
    if (hasFiles(event) && !event.defaultPrevented) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  addEventListener("online", connect);
  addEventListener("dragover", refuse);
  addEventListener("drop", refuse);
  return () => {
    removeEventListener("beforeunload", warn);
    removeEventListener("online", connect);
    removeEventListener("dragover", refuse);
    removeEventListener("drop", refuse);
  };
}
