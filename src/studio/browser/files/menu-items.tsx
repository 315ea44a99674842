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
import type { File } from "../../../../client/src/index.ts";
import { downloadFiles } from "../download/download.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { uploadVisibilityItems } from "../uploads/visibility-items.tsx";
import { setVisibility } from "./changes.ts";
import type { Clipboard } from "./clipboard.ts";
import type { Desk } from "./desk.ts";
import { fileTexts as t } from "./texts.ts";

/** The menu of the selected entries. */
export function itemsOf(desk: Desk, clipboard: Clipboard | null): MenuItem[] {
  const { selected } = desk.choice;
  const [first] = selected;
  if (!first) return folderItems(desk, clipboard);
  const only = selected.length === 1 ? first : null;
  const opening: MenuItem[] = [
    ...(only ? openItems(desk, only) : []),
    {
      label: only && !only.isDirectory ? t.download : t.downloadZip,
      icon: <Download />,
      run: () => downloadFiles(selected),
    },
    ...(only ? [{ label: t.details, icon: <Info />, run: () => desk.ask({ type: "details", entry: only }) }] : []),
  ];
  if (!desk.mayChange(selected)) return opening;
  return [
    ...opening,
    null,
    ...(only ? [{ label: t.rename, icon: <Pencil />, keys: "F2", run: () => desk.rename(only) }] : []),
    {
      label: t.moveTo,
      icon: <FolderInput />,
      run: () => desk.ask({ type: "pick", entries: selected, isCopy: false }),
    },
    { label: t.copyTo, icon: <Copy />, run: () => desk.ask({ type: "pick", entries: selected, isCopy: true }) },
    { label: t.cutAction, icon: <Scissors />, keys: "mod+x", run: () => desk.hold(true) },
    { label: t.copyAction, icon: <Copy />, keys: "mod+c", run: () => desk.hold(false) },
    null,
    // In a private directory, they would change nothing.
    ...(desk.folder.isPrivate ? [] : visibilityItems(selected)),
    ...(only ? [{ label: t.share, icon: <Link2 />, run: () => desk.ask({ type: "share", entry: only }) }] : []),
    null,
    { label: t.delete, icon: <Trash2 />, keys: "delete", isDanger: true, run: () => desk.trash(selected) },
  ];
}

function openItems(desk: Desk, entry: File): MenuItem[] {
  const open = { icon: entry.isDirectory ? <FolderOpen /> : <Eye />, keys: "enter", run: () => desk.open(entry) };
  return [{ label: entry.isDirectory ? t.open : t.preview, ...open }];
}

function visibilityItems(entries: readonly File[]): MenuItem[] {
  const hasPublic = entries.some(({ visibility }) => visibility === "public");
  const hasPrivate = entries.some(({ visibility }) => visibility === "private");
  return [
    ...(hasPublic
      ? [{ label: t.makePrivate, icon: <EyeOff />, run: () => void setVisibility(entries, "private") }]
      : []),
    ...(hasPrivate ? [{ label: t.makePublic, icon: <Eye />, run: () => void setVisibility(entries, "public") }] : []),
  ];
}

const aboutItems = (desk: Desk): MenuItem[] => [
  null,
  { label: t.share, icon: <Link2 />, run: () => desk.askAboutFolder("share") },
  { label: t.details, icon: <Info />, run: () => desk.askAboutFolder("details") },
];

export const uploadItems = (desk: Desk): MenuItem[] => [
  ...uploadVisibilityItems({ isInPrivateFolder: desk.folder.isPrivate }),
  { label: t.uploadFiles, icon: <FileUp />, run: () => desk.choose(false) },
  { label: t.uploadFolder, icon: <FolderUp />, run: () => desk.choose(true) },
];

/** The menu of the directory itself. */
export function folderItems(desk: Desk, clipboard: Clipboard | null): MenuItem[] {
  return [
    { label: t.newFolder, icon: <FolderPlus />, keys: "mod+shift+n", run: () => desk.newFolder() },
    {
      label: t.paste,
      icon: <ClipboardPaste />,
      keys: "mod+v",
      isDisabled: !clipboard,
      run: () => desk.paste(clipboard),
    },
    null,
    ...uploadItems(desk),
    ...(desk.folder.path === "/" ? [] : aboutItems(desk)),
  ];
}
