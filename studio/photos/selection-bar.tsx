import { Download, Ellipsis, FolderPlus, Globe, Heart, HeartOff, Lock, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { downloadPhotos } from "../download/download.ts";
import { formatNumber } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { AlbumPicker } from "../pickers/album-picker.tsx";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Progress } from "../ui/screen.tsx";
import { BarAction, SelectionBar as Bar } from "../ui/selection-bar.tsx";
import { type Changes, changeMany } from "./change-many.ts";
import { EditMany } from "./edit-many.tsx";
import { photosTexts as t } from "./texts.ts";

type Props = {
  photos: readonly Photo[];
  /** The current photos with these ids, as far as they are shown. */
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
    <>
      <Bar text={t.selected(formatNumber(photos.length))} clearLabel={t.endSelection} onClear={onClear}>
        {work && work.total > 1000 ? (
          <div className="flex flex-1 items-center gap-3 max-md:p-3">
            <div className="min-w-32 flex-1">
              <Progress value={work.done / work.total} label={t.changing} />
            </div>
            <Button onClick={() => work.stop.abort()}>{words.cancel}</Button>
          </div>
        ) : (
          <>
            <BarAction
              icon={<FolderPlus />}
              word={words.album}
              label={words.addToAlbum}
              disabled={isNone}
              onClick={() => onOpen("album")}
            />
            <BarAction
              icon={isFavourite ? <HeartOff /> : <Heart />}
              word={words.favourites}
              label={isFavourite ? t.unfavourite : t.favourite}
              disabled={isNone}
              onClick={() => void run({ set: { isFavourite: !isFavourite } })}
            />
            <BarAction icon={<Pencil />} word={words.edit} disabled={isNone} onClick={() => onOpen("edit")} />
            <BarAction
              icon={<Trash2 />}
              word={words.delete}
              disabled={isNone}
              onClick={() => void run({ trash: true })}
            />
            <Menu
              items={[
                {
                  label: words.makePublic,
                  icon: <Globe />,
                  isDisabled: isNone,
                  run: () => void run(show("public"), t.nowPublic),
                },
                {
                  label: words.makePrivate,
                  icon: <Lock />,
                  isDisabled: isNone,
                  run: () => void run(show("private"), t.nowPrivate),
                },
                null,
                {
                  label: photos.length > 1 ? words.downloadZip : words.download,
                  icon: <Download />,
                  isDisabled: isNone,
                  run: () => void downloadPhotos(photos.map(({ id }) => id)),
                },
              ]}
            >
              <BarAction icon={<Ellipsis />} word={words.more} label={words.moreActions} />
            </Menu>
          </>
        )}
      </Bar>
      {open === "album" && (
        <AlbumPicker
          title={words.addToAlbum}
          canCreate
          onPick={({ id, name }) => void run({ albumID: id }, (count) => t.addedTo(count, name))}
          onClose={() => onOpen(null)}
        />
      )}
      {open === "edit" && (
        <EditMany count={photos.length} onChange={(changes) => void run(changes)} onClose={() => onOpen(null)} />
      )}
    </>
  );
}

const show = (visibility: "public" | "private"): Changes => ({ set: { visibility } });

function latest(photos: readonly Photo[], refresh: Props["refresh"]): Photo[] {
  const fresh = new Map(refresh(new Set(photos.map(({ id }) => id))).map((photo) => [photo.id, photo]));
  return photos.map((photo) => fresh.get(photo.id) ?? photo);
}

const timeOf = ({ takenAt, createdAt }: Photo): number => Date.parse(takenAt ?? createdAt);
