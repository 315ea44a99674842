import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { File } from "../../client/src/index.ts";
import type { Visibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { linkToDirectory } from "../lib/links.ts";
import { useMayChange } from "../lib/owners.ts";
import { showToast } from "../lib/toasts.ts";
import { chooseFiles } from "../uploads/choose-files.ts";
import { readDropped } from "../uploads/read-dropped.ts";
import { addUploads, type ChosenFile } from "../uploads/uploads.ts";
import { createNumbered, replaceByUploads, trashEntries } from "./changes.ts";
import type { Choice } from "./choice.ts";
import { type Clipboard, emptyClipboard, hold } from "./clipboard.ts";
import type { Drops } from "./drag.ts";
import { findAt, type Folder, isPrivateFolder } from "./folder.ts";
import { nameKey, parentOf, pathOf } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";
import { findConflicts, isPossible, listNames, type OnConflict, runTransfer, type Transfer } from "./transfer.ts";

/** The dialog that is open. */
type Asked =
  | { type: "chooseFolder"; entries: readonly File[]; isCopy: boolean }
  | { type: "conflict"; names: readonly string[]; answer: (onConflict: OnConflict) => void }
  | { type: "details"; entry: File }
  | { type: "share"; entry: File };

/** What can be done in a directory, for the keyboard, the menus and the mouse alike. */
export type FolderActions = {
  folder: Folder;
  choice: Choice;
  drops: Drops;
  asked: Asked | null;
  renamingID: number | null;
  ask(asked: Asked | null): void;
  rename(entry: File | null): void;
  /** Whether they are one's own; otherwise the server would refuse. */
  mayChange(entries: readonly File[]): boolean;
  /** Asks about the directory itself. */
  askAboutFolder(type: "details" | "share"): void;
  /** A directory is opened, a file is shown. */
  open(entry: File): void;
  show(entry: File | null): void;
  goUp(): void;
  newFolder(): void;
  hold(isCut: boolean): void;
  paste(clipboard: Clipboard | null): void;
  trash(entries: readonly File[]): void;
  transfer(transfer: Transfer): void;
  upload(chosen: readonly ChosenFile[], to: string): void;
  /** Opens the dialog of the browser. */
  choose(isFolder: boolean): void;
};

export function useFolderActions(folder: Folder, choice: Choice): FolderActions {
  const navigate = useNavigate();
  const [asked, ask] = useState<Asked | null>(null);
  const [renamingID, setRenamingID] = useState<number | null>(null);
  const { path, entries } = folder;
  const isMine = useMayChange();
  const mayChange = useCallback((some: readonly File[]) => some.every(isMine), [isMine]);
  /** Runs the action, or says why it cannot. */
  const ifMine = useCallback(
    (some: readonly File[], act: () => void) =>
      mayChange(some) ? act() : showToast({ text: t.notYours, isFailure: true }),
    [mayChange],
  );

  const transfer = useCallback(
    (wanted: Transfer) => ifMine(wanted.entries, () => void startTransfer(wanted, ask)),
    [ifMine],
  );
  const upload = useCallback(
    (chosen: readonly ChosenFile[], to: string, visibility?: Visibility) =>
      void startUpload(chosen, { to, visibility }, ask),
    [],
  );
  const drops = useMemo<Drops>(
    () => ({
      onEntries: (dragged, to, isCopy) => transfer({ entries: dragged, to, isCopy }),
      onFiles: (data, to, visibility) =>
        void readDropped(data).then(
          (chosen) => upload(chosen, to, visibility),
          () => showToast({ text: t.unreadable, isFailure: true }),
        ),
    }),
    [transfer, upload],
  );
  const show = (entry: File | null) =>
    void navigate({
      ...linkToDirectory(path),
      search: entry ? { preview: String(entry.id) } : {},
      replace: entry === null || location.search.includes("preview="),
    });

  return {
    folder,
    choice,
    drops,
    asked,
    renamingID,
    ask,
    askAboutFolder: (type) =>
      void findAt(path).then(
        (entry) => entry && ask({ type, entry }),
        (error: unknown) => showToast({ text: explain(error), isFailure: true }),
      ),
    mayChange,
    rename: (entry) => (entry ? ifMine([entry], () => setRenamingID(entry.id)) : setRenamingID(null)),
    open: (entry) => (entry.isDirectory ? void navigate(linkToDirectory(pathOf(entry))) : show(entry)),
    show,
    goUp: () => path !== "/" && void navigate({ ...linkToDirectory(parentOf(path)), search: { from: path } }),
    newFolder: () => void createNumbered(path, entries).then((made) => made && setRenamingID(made.id)),
    hold(isCut) {
      hold(choice.selected, isCut);
      if (choice.selected.length > 0) showToast({ text: (isCut ? t.cut : t.held)(choice.selected.length) });
    },
    paste(clipboard) {
      if (!clipboard) return;
      transfer({ entries: clipboard.entries, to: path, isCopy: !clipboard.isCut });
      if (clipboard.isCut) emptyClipboard();
    },
    trash: (some) =>
      ifMine(some, () => {
        const ids = new Set(some.map(({ id }) => id));
        // The keyboard goes on with what comes after.
        const last = Math.max(...some.map(({ id }) => choice.indexOf(id)));
        const after =
          entries.slice(last + 1).find(({ id }) => !ids.has(id)) ?? entries.findLast(({ id }) => !ids.has(id));
        if (after) choice.select(choice.indexOf(after.id), { isKept: true });
        choice.clear();
        void trashEntries(some);
      }),
    transfer,
    upload,
    choose: (isFolder) => void chooseFiles({ isFolder }).then((chosen) => upload(chosen, path)),
  };
}

/** Asks first if names are taken at the destination. */
async function startTransfer(wanted: Transfer, ask: (asked: Asked | null) => void): Promise<void> {
  if (!isPossible(wanted)) {
    if (wanted.entries.some((entry) => entry.path !== wanted.to)) showToast({ text: t.intoItself, isFailure: true });
    return;
  }
  try {
    const names = await listNames(wanted.to);
    const conflicts = findConflicts(wanted, names);
    if (conflicts.length === 0) return await runTransfer(wanted, names, "both");
    const answer = (onConflict: OnConflict) => void runTransfer(wanted, names, onConflict);
    ask({ type: "conflict", names: conflicts.map(({ name }) => name), answer });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void startTransfer(wanted, ask) });
  }
}

/** The same for files from outside. Those in chosen directories are stored beside what is there. */
async function startUpload(
  chosen: readonly ChosenFile[],
  wanted: { to: string; visibility: Visibility | undefined },
  ask: (asked: Asked | null) => void,
): Promise<void> {
  if (chosen.length === 0) return;
  const { to, visibility } = wanted;
  try {
    const [names, isInPrivateFolder] = await Promise.all([listNames(to), isPrivateFolder(to)]);
    const target = { directory: to, isPhoto: false, isInPrivateFolder, visibility };
    const isTaken = ({ file, directory }: ChosenFile) =>
      !directory && names.get(nameKey(file.name))?.isDirectory === false;
    const conflicts = chosen.filter(isTaken);
    if (conflicts.length === 0) return addUploads(chosen, target);
    const answer = (onConflict: OnConflict) => {
      addUploads(onConflict === "both" ? chosen : chosen.filter((one) => !isTaken(one)), target);
      if (onConflict === "replace")
        void replaceByUploads(
          to,
          conflicts.map(({ file }) => file),
        );
    };
    ask({ type: "conflict", names: conflicts.map(({ file }) => file.name), answer });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void startUpload(chosen, wanted, ask) });
  }
}
