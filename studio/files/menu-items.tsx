import {
  ClipboardPaste,
  Copy,
  Download,
  Eye,
  EyeOff,
  FileUp,
  FolderInput,
  FolderOpen,
  FolderPlus,
  FolderUp,
  Info,
  Link2,
  Pencil,
  Scissors,
  Trash2,
} from "lucide-react";
import type { File } from "../../client/src/index.ts";
import { downloadFiles } from "../download/download.ts";
import { words } from "../lib/words.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { uploadVisibilityItems } from "../uploads/visibility-items.tsx";
import { setVisibility } from "./changes.ts";
import type { Clipboard } from "./clipboard.ts";
import type { FolderActions } from "./folder-actions.ts";
import { fileTexts as t } from "./texts.ts";

/** The menu of the selected entries. */
export function itemsOf(actions: FolderActions, clipboard: Clipboard | null): MenuItem[] {
  const { selected } = actions.choice;
  const [first] = selected;
  if (!first) return folderItems(actions, clipboard);
  const only = selected.length === 1 ? first : null;
  const opening: MenuItem[] = [
    ...(only ? openItems(actions, only) : []),
    {
      label: only && !only.isDirectory ? words.download : words.downloadZip,
      icon: <Download />,
      run: () => downloadFiles(selected),
    },
    ...(only
      ? [{ label: words.details, icon: <Info />, run: () => actions.ask({ type: "details", entry: only }) }]
      : []),
  ];
  if (!actions.mayChange(selected)) return opening;
  return [
    ...opening,
    null,
    ...(only ? [{ label: words.rename, icon: <Pencil />, keys: "F2", run: () => actions.rename(only) }] : []),
    {
      label: t.moveTo,
      icon: <FolderInput />,
      run: () => actions.ask({ type: "chooseFolder", entries: selected, isCopy: false }),
    },
    {
      label: t.copyTo,
      icon: <Copy />,
      run: () => actions.ask({ type: "chooseFolder", entries: selected, isCopy: true }),
    },
    { label: t.cutAction, icon: <Scissors />, keys: "mod+x", run: () => actions.hold(true) },
    { label: words.copy, icon: <Copy />, keys: "mod+c", run: () => actions.hold(false) },
    null,
    // In a private directory, they would change nothing.
    ...(actions.folder.isPrivate ? [] : visibilityItems(selected)),
    ...(only ? [{ label: words.share, icon: <Link2 />, run: () => actions.ask({ type: "share", entry: only }) }] : []),
    null,
    { label: words.delete, icon: <Trash2 />, keys: "delete", isDanger: true, run: () => actions.trash(selected) },
  ];
}

function openItems(actions: FolderActions, entry: File): MenuItem[] {
  const open = { icon: entry.isDirectory ? <FolderOpen /> : <Eye />, keys: "enter", run: () => actions.open(entry) };
  return [{ label: entry.isDirectory ? words.open : t.preview, ...open }];
}

function visibilityItems(entries: readonly File[]): MenuItem[] {
  const hasPublic = entries.some(({ visibility }) => visibility === "public");
  const hasPrivate = entries.some(({ visibility }) => visibility === "private");
  return [
    ...(hasPublic
      ? [{ label: words.makePrivate, icon: <EyeOff />, run: () => void setVisibility(entries, "private") }]
      : []),
    ...(hasPrivate
      ? [{ label: words.makePublic, icon: <Eye />, run: () => void setVisibility(entries, "public") }]
      : []),
  ];
}

const aboutItems = (actions: FolderActions): MenuItem[] => [
  null,
  { label: words.share, icon: <Link2 />, run: () => actions.askAboutFolder("share") },
  { label: words.details, icon: <Info />, run: () => actions.askAboutFolder("details") },
];

export const uploadItems = (actions: FolderActions): MenuItem[] => [
  ...uploadVisibilityItems({ isInPrivateFolder: actions.folder.isPrivate }),
  { label: t.uploadFiles, icon: <FileUp />, run: () => actions.choose(false) },
  { label: t.uploadFolder, icon: <FolderUp />, run: () => actions.choose(true) },
];

/** The menu of the directory itself. */
export function folderItems(actions: FolderActions, clipboard: Clipboard | null): MenuItem[] {
  return [
    { label: t.newFolder, icon: <FolderPlus />, keys: "mod+shift+n", run: () => actions.newFolder() },
    {
      label: t.paste,
      icon: <ClipboardPaste />,
      keys: "mod+v",
      isDisabled: !clipboard,
      run: () => actions.paste(clipboard),
    },
    null,
    ...uploadItems(actions),
    ...(actions.folder.path === "/" ? [] : aboutItems(actions)),
  ];
}
