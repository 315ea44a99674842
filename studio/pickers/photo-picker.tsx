import { useCallback, useDeferredValue, useRef, useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { formatMonth, formatNumber } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, Result } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { useLibrary, useMonths } from "./library.ts";
import { PhotoGrid } from "./photo-grid.tsx";
import { pickTexts as t } from "./texts.ts";

type Props = {
  title?: string;
  /** One photo is chosen by one click. */
  isSingle?: boolean;
  /** In the order in which they were chosen. */
  onPick: (photos: Photo[]) => void;
  onClose: () => void;
};

/** Photos of the library. */
export function PhotoPicker({ isSingle = false, title, onPick, onClose }: Props) {
  const [text, setText] = useState("");
  const [month, setMonth] = useState("");
  const [chosen, setChosen] = useState<ReadonlyMap<number, Photo>>(new Map());
  const query = useDeferredValue(text.trim());
  const library = useLibrary({ words: query, month });
  const months = useMonths().data ?? [];
  const photos = library.data ?? [];
  const lastToggled = useRef<number | null>(null);

  const finish = (picked: Photo[]) => {
    onPick(picked);
    onClose();
  };
  const toggle = (photo: Photo, isRange: boolean) => {
    if (isSingle) return finish([photo]);
    const changed = new Map(chosen);
    const from = photos.findIndex(({ id }) => id === lastToggled.current);
    const to = photos.indexOf(photo);
    lastToggled.current = photo.id;
    if (isRange && from >= 0) {
      for (const between of photos.slice(Math.min(from, to), Math.max(from, to) + 1)) changed.set(between.id, between);
    } else if (!changed.delete(photo.id)) changed.set(photo.id, photo);
    setChosen(changed);
  };
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = library;
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  return (
    <Dialog
      title={title ?? (isSingle ? t.choosePhoto : t.choosePhotos)}
      width="wide"
      onClose={onClose}
      actions={
        isSingle ? undefined : (
          <>
            <p role="status" className="flex-1 self-center text-soft">
              {chosen.size > 0 && t.chosen(chosen.size)}
            </p>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button variant="main" disabled={chosen.size === 0} onClick={() => finish([...chosen.values()])}>
              {t.add(chosen.size)}
            </Button>
          </>
        )
      }
    >
      <div className="mb-3 flex gap-2">
        <SearchField label={words.searchPhotos} value={text} onChange={setText} className="min-w-0 flex-1" />
        <select
          aria-label={words.month}
          className="control max-w-[45%]"
          value={month}
          disabled={query !== ""}
          onChange={(event) => setMonth(event.target.value)}
        >
          <option value="">{t.allMonths}</option>
          {months.map(({ month, count }) => (
            <option key={month} value={month}>
              {formatMonth(month)} ({formatNumber(count)})
            </option>
          ))}
        </select>
      </div>
      <Result of={library}>
        {(photos) =>
          photos.length === 0 ? (
            <Empty title={query || month ? words.notFound : t.noPhotos}>{!query && !month && t.noPhotosHint}</Empty>
          ) : (
            <PhotoGrid photos={photos} chosen={chosen} onToggle={toggle} onEnd={loadMore} />
          )
        }
      </Result>
    </Dialog>
  );
}
