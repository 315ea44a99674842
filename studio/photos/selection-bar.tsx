import { Download, EllipsisVertical, FolderPlus, Globe, Heart, HeartOff, Lock, Pencil, Trash2, X } from "lucide-react";
import { useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { downloadPhotos } from "../download/download.ts";
import { formatNumber } from "../lib/format.ts";
import { AlbumPicker } from "../pickers/album-picker.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Progress } from "../ui/screen.tsx";
import { type Changes, changeMany } from "./change-many.ts";
import { EditMany } from "./edit-many.tsx";
import { photosTexts as t } from "./texts.ts";

type Props = {
  photos: readonly Photo[];
  /** The photos with these ids as they are now, as far as they are shown. */
  refresh: (ids: ReadonlySet<number>) => Photo[];
  onClear: () => void;
  open: "album" | "edit" | null;
  onOpen: (dialog: "album" | "edit" | null) => void;
};

/** Above the screen while photos are selected: what can be done with them. */
export function SelectionBar({ photos: selected, refresh, onClear, open, onOpen }: Props) {
  const [work, setWork] = useState<{ done: number; total: number; stop: AbortController } | null>(null);
  const photos = latest(selected, refresh);
  const isNone = photos.length === 0;
  const run = async (changes: Changes, text?: (count: string) => string) => {
    const stop = new AbortController();
    const report = (done: number) => setWork({ done, total: photos.length, stop });
    report(0);
    if (changes.trash) onClear();
    // New titles are numbered in this order.
    const ordered = photos.toSorted((one, other) => timeOf(one) - timeOf(other));
    await changeMany(ordered, changes, { onProgress: report, signal: stop.signal, ...(text && { text }) });
    setWork(null);
  };
  const isFavourite = !isNone && photos.every((photo) => photo.isFavourite);
  return (
    <div
      role="toolbar"
      aria-label={t.selected(formatNumber(photos.length))}
      className="fixed inset-x-0 top-0 z-30 border-b border-line bg-surface shadow-float md:left-56"
    >
      <div className="flex min-h-[4.75rem] items-center gap-1 px-2 md:min-h-[5.5rem] md:gap-2 md:px-6">
        <IconButton label={t.endSelection} onClick={onClear}>
          <X />
        </IconButton>
        <p aria-live="polite" className="min-w-0 flex-1 truncate font-medium">
          {t.selected(formatNumber(photos.length))}
        </p>
        {work && work.total > 1000 ? (
          <>
            <div className="w-32">
              <Progress value={work.done / work.total} label={t.changing} />
            </div>
            <Button onClick={() => work.stop.abort()}>{t.cancel}</Button>
          </>
        ) : (
          <>
            <IconButton label={t.addToAlbum} disabled={isNone} onClick={() => onOpen("album")}>
              <FolderPlus />
            </IconButton>
            <IconButton
              label={isFavourite ? t.unfavourite : t.favourite}
              disabled={isNone}
              onClick={() => void run({ set: { isFavourite: !isFavourite } })}
            >
              {isFavourite ? <HeartOff /> : <Heart />}
            </IconButton>
            <IconButton label={t.edit} disabled={isNone} onClick={() => onOpen("edit")}>
              <Pencil />
            </IconButton>
            <IconButton label={t.delete} disabled={isNone} onClick={() => void run({ trash: true })}>
              <Trash2 />
            </IconButton>
            <Menu
              items={[
                {
                  label: t.makePublic,
                  icon: <Globe />,
                  isDisabled: isNone,
                  run: () => void run(show("public"), t.nowPublic),
                },
                {
                  label: t.makePrivate,
                  icon: <Lock />,
                  isDisabled: isNone,
                  run: () => void run(show("private"), t.nowPrivate),
                },
                null,
                {
                  label: photos.length > 1 ? t.downloadZip : t.download,
                  icon: <Download />,
                  isDisabled: isNone,
                  run: () => void downloadPhotos(photos.map(({ id }) => id)),
                },
              ]}
            >
              <IconButton label={t.more}>
                <EllipsisVertical />
              </IconButton>
            </Menu>
          </>
        )}
      </div>
      {open === "album" && (
        <AlbumPicker
          title={t.addToAlbum}
          canCreate
          onPick={({ id, name }) => void run({ albumID: id }, (count) => t.addedTo(count, name))}
          onClose={() => onOpen(null)}
        />
      )}
      {open === "edit" && (
        <EditMany count={photos.length} onChange={(changes) => void run(changes)} onClose={() => onOpen(null)} />
      )}
    </div>
  );
}

const show = (visibility: "public" | "private"): Changes => ({ set: { visibility } });

function latest(photos: readonly Photo[], refresh: Props["refresh"]): Photo[] {
  const fresh = new Map(refresh(new Set(photos.map(({ id }) => id))).map((photo) => [photo.id, photo]));
  return photos.map((photo) => fresh.get(photo.id) ?? photo);
}

const timeOf = ({ takenAt, createdAt }: Photo): number => Date.parse(takenAt ?? createdAt);
