import type { RefObject } from "react";
import type { Direction } from "../grid/moves.ts";
import type { GridHandle } from "../grid/photo-grid.tsx";
import { useCommands } from "../lib/commands.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { words } from "../lib/words.ts";
import { changeMany } from "./change-many.ts";
import { photosTexts as t } from "./texts.ts";
import type { usePhotoSelection } from "./use-photo-selection.ts";

type Deps = {
  grid: RefObject<GridHandle | null>;
  selection: ReturnType<typeof usePhotoSelection>;
  openDialog: (dialog: "album" | "edit") => void;
};

const directions: Record<string, Direction> = {
  arrowleft: "left",
  arrowright: "right",
  arrowup: "up",
  arrowdown: "down",
  home: "first",
  end: "last",
};

/** The keys of the grid. What they do, they do to the selected photos, or else to the one with the focus. */
export function useGridKeys({ grid, selection, openDialog }: Deps): void {
  const chosen = () => {
    const focused = grid.current?.focused();
    return selection.photos.size > 0 ? [...selection.photos.values()] : focused ? [focused] : [];
  };
  const select = (isRange: boolean) => {
    const photo = grid.current?.focused();
    if (photo) selection.toggle(photo, isRange);
  };
  const extend = (direction: Direction) => {
    const before = grid.current?.focused();
    if (before && !selection.photos.has(before.id)) selection.toggle(before, false);
    const next = grid.current?.move(direction);
    if (next) selection.toggle(next, true);
  };
  const selectMonth = () => {
    const section = grid.current?.currentSection();
    if (section) selection.toggleSection(section);
  };
  const remove = () => {
    const photos = chosen();
    if (photos.length === 0) return;
    selection.clear();
    void changeMany(photos, { trash: true });
  };
  const favour = () => {
    const photos = chosen();
    const isFavourite = !photos.every((photo) => photo.isFavourite);
    if (photos.length > 0) void changeMany(photos, { set: { isFavourite } });
  };
  const openFor = (dialog: "album" | "edit") => {
    const [first] = chosen();
    if (!first) return;
    if (selection.photos.size === 0) selection.toggle(first, false);
    openDialog(dialog);
  };
  const own = [
    { keys: "x", label: t.selectFocused, run: () => select(false) },
    { keys: "mod+a", label: t.selectMonth, run: selectMonth },
    { keys: "f", label: t.favourite, run: favour },
    { keys: "e", label: words.edit, run: () => openFor("edit") },
    { keys: "l", label: words.addToAlbum, run: () => openFor("album") },
    { keys: "delete", label: words.delete, run: remove },
  ];
  useShortcuts([
    ...Object.entries(directions).flatMap(([keys, direction]) => [
      { keys, label: t.moveFocus, run: () => void grid.current?.move(direction) },
      { keys: `shift+${keys}`, label: t.extendSelection, run: () => extend(direction) },
    ]),
    ...(selection.isSelecting ? [{ keys: "escape", label: t.endSelection, run: selection.clear }] : []),
    ...own,
  ]);
  useCommands(own.map((command) => ({ ...command, group: words.photos })));
}
