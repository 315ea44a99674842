import { ArrowLeftToLine, ArrowRightToLine, Download, Ellipsis, ImageMinus, Star, X } from "lucide-react";
import type { AlbumWithPhotos } from "../../client/src/index.ts";
import { downloadPhotos } from "../download/download.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import type { Selection } from "../lib/selection.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
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
    { keys: "escape", label: t.clear, run: clear },
    ...(album.filter ? [] : [{ keys: "delete", label: t.remove, run: remove }]),
  ]);
  return (
    <>
      <IconButton label={t.clear} onClick={clear}>
        <X />
      </IconButton>
      <span role="status" className="font-medium">
        {t.selected(keys.size)}
      </span>
      {!album.filter && (
        <Button icon={<ImageMinus />} aria-label={t.remove} onClick={remove}>
          <span className="max-sm:hidden">{t.remove}</span>
          <span className="sm:hidden">{t.removeShort}</span>
        </Button>
      )}
      <Menu
        items={[
          ...(only === undefined
            ? []
            : [
                album.coverPhotoID === only
                  ? { label: t.noCover, icon: <Star />, run: () => cover(null) }
                  : { label: t.cover, icon: <Star />, run: () => cover(only) },
              ]),
          ...(album.photoOrder === "manual"
            ? [
                { label: t.toStart, icon: <ArrowLeftToLine />, run: () => moveTo(0) },
                { label: t.toEnd, icon: <ArrowRightToLine />, run: () => moveTo(album.photoCount - 1) },
                null,
              ]
            : []),
          {
            label: only === undefined ? t.downloadZip : t.download,
            icon: <Download />,
            run: () => void downloadPhotos([...keys]),
          },
        ]}
      >
        <IconButton label={t.more} variant="plain">
          <Ellipsis />
        </IconButton>
      </Menu>
    </>
  );
}
