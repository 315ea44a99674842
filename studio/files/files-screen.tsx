import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { FolderOpen, FolderX, Upload } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { isStatus } from "../lib/api.ts";
import { useCommands } from "../lib/commands.ts";
import { formatNumber } from "../lib/format.ts";
import { linkToDirectory } from "../lib/links.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Empty, Failure, Loading, useTitle } from "../ui/screen.tsx";
import { useUploadVisibility } from "../uploads/chosen-visibility.ts";
import { useArrival } from "./arrival.ts";
import { useBodyKeys } from "./body-keys.ts";
import { type Choice, useChoice } from "./choice.ts";
import { DetailsPane } from "./details-pane.tsx";
import { useDropTarget } from "./drag.ts";
import { DropHere } from "./drop-here.tsx";
import { EntriesView } from "./entries-view.tsx";
import { FileDialogs } from "./file-dialogs.tsx";
import { type FolderActions, useFolderActions } from "./folder-actions.ts";
import { type Folder, useFolder } from "./folder.ts";
import { uploadItems } from "./menu-items.tsx";
import { isServerOrder } from "./order.ts";
import { joinPath, nameOf } from "./paths.ts";
import { usePrefs } from "./prefs.ts";
import { fileTexts as t } from "./texts.ts";
import { Toolbar } from "./toolbar.tsx";
import { Tree } from "./tree.tsx";

/** The file manager. Its address has the path of the directory. */
export function FilesScreen() {
  const { _splat = "" } = useParams({ strict: false });
  const search: Record<string, string> = useSearch({ strict: false });
  const path = joinPath("/", ..._splat.split("/").filter(Boolean));
  const navigate = useNavigate();
  const [prefs, change] = usePrefs();
  const folder = useFolder(path, prefs.order);
  const choice = useChoice(path, folder.entries);
  const actions = useFolderActions(folder, choice);
  const selectAll = useSelectAll(folder, choice);
  useTitle(nameOf(path) || words.files);
  useArrival(actions, search);
  useBodyKeys(actions);
  useKeys(
    actions,
    () => change({ view: prefs.view === "list" ? "grid" : "list" }),
    () => change({ hasDetails: !prefs.hasDetails }),
  );

  return (
    <div className="flex h-[calc(100dvh-5rem)] flex-col md:h-dvh">
      <Toolbar actions={actions} prefs={prefs} change={change} selectAll={selectAll} />
      <div className="flex min-h-0 flex-1">
        <aside
          aria-label={t.folders}
          className="hidden w-60 shrink-0 overflow-y-auto border-r border-line p-2 lg:block"
        >
          <Tree path={path} drops={actions.drops} onOpen={(to) => void navigate(linkToDirectory(to))} />
        </aside>
        <section aria-label={nameOf(path) || words.files} className="flex min-w-0 flex-1 flex-col px-1 md:px-2">
          <Content actions={actions}>
            <EntriesView
              key={`${prefs.view} ${path}`}
              actions={actions}
              isGrid={prefs.view === "grid"}
              order={prefs.order}
              onOrder={(order) => change({ order })}
              selectAll={selectAll}
            />
          </Content>
          {(folder.isComplete || folder.entries.length > 0) && (
            <StatusLine folder={folder} isSorting={!isServerOrder(prefs.order)} />
          )}
        </section>
        {prefs.hasDetails && <DetailsPane path={path} choice={choice} />}
      </div>
      <FileDialogs actions={actions} previewID={Number(search.preview ?? 0)} />
    </div>
  );
}

function Content({ actions, children }: { actions: FolderActions; children: React.ReactNode }) {
  const { folder, drops } = actions;
  const { hasFiles, handlers } = useDropTarget(folder.path, drops);
  useUploadVisibility();
  if (folder.isLoading) return <Loading />;
  if (isStatus(folder.error, 404)) {
    return (
      <div className="p-4">
        <Empty
          icon={<FolderX />}
          title={t.missingTitle}
          action={<Link {...linkToDirectory("/")} className={buttonClass("main")} children={t.toFiles} />}
        >
          {t.missingHint}
        </Empty>
      </div>
    );
  }
  if (folder.error && folder.entries.length === 0) return <Failure error={folder.error} retry={folder.reload} />;
  if (folder.entries.length > 0 || !folder.isComplete) return children;
  return (
    <div className="relative flex-1 p-4" {...handlers}>
      {hasFiles && <DropHere folder={folder} drops={drops} />}
      <Empty
        icon={<FolderOpen />}
        title={t.emptyTitle}
        action={
          <Menu items={uploadItems(actions)}>
            <Button variant="main" icon={<Upload />}>
              {words.upload}
            </Button>
          </Menu>
        }
      >
        {t.emptyHint}
      </Empty>
    </div>
  );
}

function StatusLine({ folder, isSorting }: { folder: Folder; isSorting: boolean }) {
  const { entries, isComplete, isLarge, isReloading, reload } = folder;
  const count = entries.length;
  return (
    <div className="flex min-h-9 items-center gap-2 border-t border-line px-2 text-sm text-soft">
      <p className="min-w-0 truncate py-1.5" aria-live="polite">
        {isSorting && !isComplete && count > 0 ? t.loadingRest(formatNumber(count)) : t.count(count, isComplete)}
        {isLarge && ` · ${t.notFollowed}`}
      </p>
      {isLarge && (
        <Button variant="quiet" className="!min-h-7 !py-0.5" isBusy={isReloading} onClick={reload}>
          {t.reload}
        </Button>
      )}
    </div>
  );
}

/** Selects all, also what is loaded later. */
function useSelectAll({ path, entries, isComplete, loadAll }: Folder, choice: Choice): () => void {
  const [wanted, setWanted] = useState<string | null>(null);
  const { all } = choice;
  useEffect(() => {
    if (wanted !== path) return;
    all();
    if (isComplete) setWanted(null);
    // Only when more is loaded: a click in between changes the selection.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, path, entries, isComplete]);
  return useCallback(() => {
    setWanted(path);
    loadAll();
  }, [path, loadAll]);
}

function useKeys(actions: FolderActions, switchView: () => void, switchDetails: () => void): void {
  const { choice } = actions;
  useCommands([
    { label: t.newFolder, group: words.files, keys: "mod+shift+n", run: () => actions.newFolder() },
    { label: t.uploadFiles, group: words.files, run: () => actions.choose(false) },
    { label: t.uploadFolder, group: words.files, run: () => actions.choose(true) },
    { label: t.keys.view, group: words.files, run: switchView },
    { label: t.keys.details, group: words.files, keys: "mod+i", run: switchDetails },
  ]);
  useShortcuts([
    { keys: "enter", label: t.keys.open, run: null },
    { keys: "space", label: t.keys.preview, run: null },
    { keys: "backspace", label: t.keys.up, run: () => actions.goUp() },
    { keys: "f2", label: words.rename, run: () => choice.selected[0] && actions.rename(choice.selected[0]) },
    { keys: "delete", label: words.delete, run: () => choice.selected.length > 0 && actions.trash(choice.selected) },
    { keys: "mod+a", label: words.selectAll, run: null },
    { keys: "mod+x", label: t.cutAction, run: null },
    { keys: "mod+c", label: words.copy, run: null },
    { keys: "mod+v", label: t.paste, run: null },
    { keys: "mod+shift+n", label: t.newFolder, run: () => actions.newFolder() },
    { keys: "mod+i", label: t.keys.details, run: switchDetails },
  ]);
}
