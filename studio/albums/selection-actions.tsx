import { ArrowLeftToLine, ArrowRightToLine, Download, Ellipsis, ImageMinus, Star } from "lucide-react";
import type { AlbumWithPhotos } from "../../client/src/index.ts";
import { downloadPhotos } from "../download/download.ts";
import type { Selection } from "../lib/selection.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { words } from "../lib/words.ts";
import { Menu } from "../ui/menu.tsx";
import { BarAction, SelectionBar } from "../ui/selection-bar.tsx";
import { change } from "./album-actions.tsx";
import { positionOf } from "./album-photos.ts";
import { movePhotos, removePhotos } from "./change-photos.ts";
import { albumTexts as t } from "./texts.ts";

/** In place of the actions of the album, while photos are selected. */
export function SelectionActions({ album, selection }: { album: AlbumWithPhotos; selection: Selection<number> }) {
  const { keys, clear } = selection;
  const [only] = keys.size === 1 ? keys : [];
  const remove = () => {
    clear();
    void removePhotos(album, keys);
  };
  const cover = (coverPhotoID: number | null) => {
    clear();
    void change(album, { coverPhotoID }, t.covered);
  };
  const moveTo = (to: number) => {
    const [first = 0] = keys;
    clear();
    void movePhotos(album, { from: positionOf(album.id, first), to }, keys);
  };
  useShortcuts([
    { keys: "escape", label: words.clearSelection, run: clear },
    ...(album.filter ? [] : [{ keys: "delete", label: t.remove, run: remove }]),
  ]);
  return (
    <SelectionBar text={words.selected(keys.size)} clearLabel={words.clearSelection} onClear={clear}>
      {!album.filter && <BarAction icon={<ImageMinus />} word={words.remove} label={t.remove} onClick={remove} />}
      {only !== undefined && (
        <BarAction
          icon={<Star />}
          word={words.cover}
          label={album.coverPhotoID === only ? t.noCover : t.cover}
          onClick={() => cover(album.coverPhotoID === only ? null : only)}
        />
      )}
      <BarAction
        icon={<Download />}
        word={words.download}
        label={only === undefined ? words.downloadZip : undefined}
        onClick={() => void downloadPhotos([...keys])}
      />
      {album.photoOrder === "manual" && (
        <Menu
          items={[
            { label: t.toStart, icon: <ArrowLeftToLine />, run: () => moveTo(0) },
            { label: t.toEnd, icon: <ArrowRightToLine />, run: () => moveTo(album.photoCount - 1) },
          ]}
        >
          <BarAction icon={<Ellipsis />} word={words.more} />
        </Menu>
      )}
    </SelectionBar>
  );
}
