import { ChevronDown, ChevronUp, Globe, Lock, Pause, Play, X } from "lucide-react";
import { useEffect, useState } from "react";
import { keptInTab } from "../lib/account.ts";
import type { Visibility } from "../lib/default-visibility.ts";
import { formatBytes } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Progress } from "../ui/screen.tsx";
import { chooseFiles } from "./choose-files.ts";
import { chooseUploadVisibility } from "./chosen-visibility.ts";
import {
  addToQueue,
  cancelUploads,
  clearFinished,
  continueUploads,
  pauseUploads,
  retryUploads,
  showUploadsTo,
  uploadList,
} from "./tab-queue.ts";
import { doneBefore } from "./tab.ts";
import type { Uploads } from "./state.ts";
import { TrayList } from "./tray-list.tsx";
import { uploadTexts as t } from "./texts.ts";
import { isOver, isUnfinished, nameOf, type Upload } from "./upload.ts";
import { uploadVisibilityItems } from "./visibility-items.tsx";

/** How far all uploads are, and each of them. */
export function TrayPanel() {
  const uploads = uploadList.use();
  const [isOpen, setIsOpen] = useState(() => matchMedia("(width >= 48rem)").matches);
  const { list, isPaused } = uploads;
  const active = list.filter(isUnfinished);
  const failed = list.filter(({ state }) => state === "failed");
  const lost = list.filter(({ state }) => state === "lost");
  const open = list.filter((upload) => !isOver(upload));
  const sent = sum(list, ({ sent }) => sent);
  const size = sum(list, ({ size }) => size);
  const earlier = useEarlier(list);

  return (
    <section
      aria-label={t.uploads}
      className="fixed right-2 bottom-[calc(4.25rem+env(safe-area-inset-bottom))] left-2 z-30 rounded-card border border-line bg-surface shadow-float md:right-4 md:bottom-4 md:left-auto md:w-96"
    >
      <header className="flex items-center gap-1 py-1.5 pr-1.5 pl-4">
        <div className="min-w-0 flex-1">
          <h2 className="leading-snug font-semibold">{titleOf(uploads, earlier)}</h2>
          {/* Not each file is read aloud. */}
          <p role="status" className="sr-only">
            {active.length > 0 && !isPaused && !uploads.isOffline ? t.uploads : titleOf(uploads, earlier)}
          </p>
          {active.length > 0 && <p className="text-sm text-soft">{t.left(formatBytes(size - sent))}</p>}
        </div>
        {active.length > 0 && (
          <IconButton label={isPaused ? t.resume : t.pause} onClick={isPaused ? continueUploads : pauseUploads}>
            {isPaused ? <Play /> : <Pause />}
          </IconButton>
        )}
        <IconButton
          label={isOpen ? t.collapse : t.expand}
          aria-expanded={isOpen}
          onClick={() => setIsOpen((before) => !before)}
        >
          {isOpen ? <ChevronDown /> : <ChevronUp />}
        </IconButton>
        {active.length === 0 && (
          <IconButton
            label={words.close}
            onClick={() => (cancelUploads([...failed, ...lost].map(idOf)), clearFinished())}
          >
            <X />
          </IconButton>
        )}
      </header>
      {active.length > 0 && (
        <div className="px-4 pb-3">
          <Progress label={t.uploads} value={size === 0 ? 0 : sent / size} />
        </div>
      )}
      {open.length > 0 && <WhoSees uploads={open} />}
      {isOpen && <TrayList uploads={list} />}
      {lost.length > 0 && <ChooseAgain lost={lost} />}
      {isOpen && (failed.length > 0 || active.length > 1) && (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line p-2">
          {failed.length > 0 && <Button onClick={() => retryUploads(failed.map(idOf))}>{t.retryAll}</Button>}
          {active.length > 1 && (
            <Button variant="quiet" onClick={() => cancelAll(active)}>
              {t.cancelAll}
            </Button>
          )}
        </footer>
      )}
    </section>
  );
}

/** Who will see what is not stored yet. */
function WhoSees({ uploads }: { uploads: readonly Upload[] }) {
  const free = uploads.filter(({ isInPrivateFolder }) => !isInPrivateFolder);
  const shared = new Set(free.map(({ visibility }) => visibility));
  const value = shared.size === 1 ? (free[0]?.visibility ?? null) : null;
  const Icon = value === "public" ? Globe : Lock;
  if (free.length === 0) {
    return (
      <p className="flex items-center gap-2 px-4 pb-3 text-sm text-soft">
        <Lock className="size-4 shrink-0" />
        {t.byFolder}
      </p>
    );
  }
  const choose = (visibility: Visibility) => {
    chooseUploadVisibility(visibility);
    showUploadsTo(visibility);
  };
  return (
    <div className="px-2 pb-2">
      <Menu align="start" items={uploadVisibilityItems({ value, onChoose: choose }).filter((item) => item !== null)}>
        <Button variant="quiet" className="max-w-full !px-2 text-sm">
          {shared.size === 1 && <Icon />}
          <span className="truncate">{value ? t.whoSees[value] : t.mixed}</span>
          <ChevronDown />
        </Button>
      </Menu>
    </div>
  );
}

function ChooseAgain({ lost }: { lost: readonly Upload[] }) {
  // Each one knows where it belongs; a file that was not among them is not uploaded.
  const choose = async () => {
    const chosen = await chooseFiles();
    const names = new Set(lost.map(({ name }) => name));
    addToQueue(
      chosen.filter(({ file }) => names.has(nameOf(file))),
      { directory: "/", isPhoto: false },
    );
  };
  return (
    <div className="grid gap-2 border-t border-line px-4 py-3">
      <p>{t.chooseAgain(lost.length)}</p>
      <Button onClick={() => void choose()}>{t.choose}</Button>
    </div>
  );
}

/** `earlier`: how many were done before the page was loaded again. */
function titleOf({ list, isPaused, isOffline }: Uploads, earlier: number): string {
  const done = list.filter(isOver).length;
  const failed = list.filter(({ state }) => state === "failed" || state === "lost");
  const left = list.length - done - failed.length;
  if (left > 0 && isPaused) return t.paused(left);
  if (left > 0 && isOffline) return t.offline;
  if (left > 0) return t.uploading(earlier + done, earlier + list.length - failed.length);
  // What the server has is stored, even if no photo was made of it.
  const missing = failed.filter(({ fileID }) => fileID === null).length;
  if (missing > 0) return t.incomplete(missing);
  return failed.length > 0 ? t.onlyStored(failed.length) : t.over(earlier + done);
}

/** The browser forgets what is over, so the number is kept until all of them are. */
function useEarlier(list: readonly Upload[]): number {
  const [earlier] = useState(() => Number(keptInTab.get(doneBefore) ?? 0));
  const done = earlier + list.filter(isOver).length;
  const isActive = list.some(isUnfinished);
  useEffect(() => {
    if (isActive) keptInTab.set(doneBefore, String(done));
    else keptInTab.remove(doneBefore);
  }, [done, isActive]);
  return earlier;
}

function cancelAll(active: readonly Upload[]): void {
  cancelUploads(active.map(idOf));
  showToast({ text: t.cancelled(active.length) });
}

const idOf = ({ id }: Upload) => id;
const sum = (list: readonly Upload[], value: (upload: Upload) => number) =>
  list.reduce((total, upload) => total + value(upload), 0);
