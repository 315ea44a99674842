import {
  ArrowUp,
  ClipboardPaste,
  Download,
  EllipsisVertical,
  LayoutGrid,
  List,
  PanelRight,
  Plus,
  Trash2,
  X,
} from "lucide-react";
import { downloadFiles } from "../download/download.ts";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { useUploadVisibility } from "../uploads/chosen-visibility.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { useClipboard } from "./clipboard.ts";
import { columns } from "./column-heads.tsx";
import type { FolderActions } from "./folder-actions.ts";
import { folderItems, itemsOf } from "./menu-items.tsx";
import type { Prefs } from "./prefs.ts";
import { fileTexts as t } from "./texts.ts";

type Props = { actions: FolderActions; prefs: Prefs; change: (changes: Partial<Prefs>) => void; selectAll: () => void };

/** The path, and what can be done. It keeps its height, so that nothing moves under the mouse when something is selected. */
export function Toolbar({ actions, prefs, change, selectAll }: Props) {
  const clipboard = useClipboard();
  useUploadVisibility();
  const { choice, folder } = actions;
  const hasSelection = choice.selected.length > 0;
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-2 md:h-16 md:px-4">
      <div className={classes("flex min-w-0 flex-1 items-center gap-1", hasSelection && "max-md:sr-only")}>
        <IconButton label={t.openUp} disabled={folder.path === "/"} onClick={() => actions.goUp()}>
          <ArrowUp />
        </IconButton>
        <Breadcrumb path={folder.path} isPrivate={folder.isPrivate} drops={actions.drops} />
      </div>
      {hasSelection && <SelectionBar actions={actions} selectAll={selectAll} />}
      <div className={classes("flex items-center gap-1", hasSelection && "max-md:hidden")}>
        {clipboard && (
          <Button icon={<ClipboardPaste />} onClick={() => actions.paste(clipboard)}>
            {t.paste}
          </Button>
        )}
        <Menu items={viewItems(prefs, change, selectAll)}>
          <IconButton label={t.showAs}>{prefs.view === "grid" ? <LayoutGrid /> : <List />}</IconButton>
        </Menu>
        <IconButton
          label={words.details}
          aria-pressed={prefs.hasDetails}
          className="aria-pressed:bg-tint max-lg:hidden"
          onClick={() => change({ hasDetails: !prefs.hasDetails })}
        >
          <PanelRight />
        </IconButton>
        <Menu items={folderItems(actions, clipboard)}>
          <Button variant="main" icon={<Plus />} aria-label={t.newActions}>
            <span className="max-md:hidden">{t.newActions}</span>
          </Button>
        </Menu>
      </div>
    </header>
  );
}

/** What can be done with the selected entries. On a phone it replaces the path. */
function SelectionBar({ actions, selectAll }: Pick<Props, "actions" | "selectAll">) {
  const clipboard = useClipboard();
  const { choice } = actions;
  return (
    <div className="flex min-w-0 items-center gap-1 max-md:flex-1 md:rounded-card md:bg-tint md:px-1">
      <IconButton label={words.clearSelection} onClick={() => choice.clear()}>
        <X />
      </IconButton>
      <p role="status" className="min-w-0 truncate font-medium">
        {words.selected(choice.selected.length)}
      </p>
      <span className="flex-1 md:w-2" />
      <IconButton label={words.download} onClick={() => downloadFiles(choice.selected)}>
        <Download />
      </IconButton>
      {actions.mayChange(choice.selected) && (
        <IconButton label={words.delete} onClick={() => actions.trash(choice.selected)}>
          <Trash2 />
        </IconButton>
      )}
      <Menu items={[...itemsOf(actions, clipboard), null, { label: words.selectAll, keys: "mod+a", run: selectAll }]}>
        <IconButton label={words.moreActions}>
          <EllipsisVertical />
        </IconButton>
      </Menu>
    </div>
  );
}

function viewItems({ view, order }: Prefs, change: Props["change"], selectAll: () => void): MenuItem[] {
  return [
    { label: t.list, icon: <List />, isChecked: view === "list", run: () => change({ view: "list" }) },
    { label: t.grid, icon: <LayoutGrid />, isChecked: view === "grid", run: () => change({ view: "grid" }) },
    null,
    ...columns.map((by) => ({
      label: `${t.sortBy}: ${t.columns[by]}`,
      isChecked: order.by === by,
      run: () => change({ order: { ...order, by } }),
    })),
    {
      label: t.descending,
      isChecked: order.isDescending,
      run: () => change({ order: { ...order, isDescending: !order.isDescending } }),
    },
    null,
    { label: words.selectAll, keys: "mod+a", run: selectAll },
  ];
}
