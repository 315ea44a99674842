import {
  ArrowUp,
  ClipboardPaste,
  EllipsisVertical,
  FolderPlus,
  LayoutGrid,
  List,
  PanelRight,
  Plus,
  Upload,
  X,
} from "lucide-react";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { Breadcrumb } from "./breadcrumb.tsx";
import { useClipboard } from "./clipboard.ts";
import { columns } from "./column-heads.tsx";
import type { Desk } from "./desk.ts";
import { chooseFiles, itemsOf } from "./menu-items.tsx";
import type { Prefs } from "./prefs.ts";
import { fileTexts as t } from "./texts.ts";

type Props = { desk: Desk; prefs: Prefs; change: (changes: Partial<Prefs>) => void; selectAll: () => void };

/** The path, and what can be done: with the selected entries, or with the directory. */
export function Toolbar({ desk, prefs, change, selectAll }: Props) {
  const clipboard = useClipboard();
  const { choice, folder } = desk;
  const isGrid = prefs.view === "grid";
  const hasPaste = clipboard !== null;
  return (
    <header className="border-b border-line">
      <div className="flex items-center gap-1 py-2 pr-2 pl-2 md:py-3 md:pr-4 md:pl-4">
        <IconButton label={t.openUp} disabled={folder.path === "/"} onClick={() => desk.goUp()}>
          <ArrowUp />
        </IconButton>
        <Breadcrumb path={folder.path} drops={desk.drops} />
        {hasPaste && (
          <Button icon={<ClipboardPaste />} onClick={() => desk.paste(clipboard)}>
            {t.paste}
          </Button>
        )}
        <div className="flex items-center gap-1">
          <Menu items={viewItems(prefs, change, selectAll)}>
            <IconButton label={t.showAs}>{isGrid ? <LayoutGrid /> : <List />}</IconButton>
          </Menu>
          <IconButton
            label={t.details}
            aria-pressed={prefs.hasDetails}
            className="max-lg:hidden aria-pressed:bg-tint"
            onClick={() => change({ hasDetails: !prefs.hasDetails })}
          >
            <PanelRight />
          </IconButton>
          <Menu
            items={[
              { label: t.newFolder, icon: <FolderPlus />, keys: "mod+shift+n", run: () => desk.newFolder() },
              null,
              { label: t.uploadFiles, icon: <Upload />, run: () => chooseFiles(false) },
              { label: t.uploadFolder, icon: <Upload />, run: () => chooseFiles(true) },
            ]}
          >
            <Button look="main" icon={<Plus />} aria-label={t.newActions}>
              <span className="max-md:hidden">{t.newActions}</span>
            </Button>
          </Menu>
        </div>
      </div>
      {choice.ids.size > 0 && (
        <div className="flex items-center gap-1 border-t border-line bg-tint px-2 py-1 md:px-4">
          <IconButton label={t.clearSelection} onClick={() => choice.clear()}>
            <X />
          </IconButton>
          <p role="status" className="flex-1 truncate font-medium">
            {t.selected(choice.ids.size)}
          </p>
          <Button look="quiet" className="max-md:hidden" onClick={selectAll}>
            {t.selectAll}
          </Button>
          <Menu items={itemsOf(desk, clipboard)}>
            <IconButton label={t.actionsOf(t.selected(choice.ids.size))}>
              <EllipsisVertical />
            </IconButton>
          </Menu>
        </div>
      )}
    </header>
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
    { label: t.selectAll, keys: "mod+a", run: selectAll },
  ];
}
