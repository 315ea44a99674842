import { useNavigate } from "@tanstack/react-router";
import { ImagePlus, ImageOff } from "lucide-react";
import { useMemo, useRef } from "react";
import { type GridHandle, PhotoGrid } from "../grid/photo-grid.tsx";
import { formatNumber } from "../lib/format.ts";
import { useSelection } from "../lib/selection.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Failure, Loading, Screen } from "../ui/screen.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type Filters, toSearch, useFilters, useSetFilters } from "./filters.ts";
import { useLibrary } from "./library.ts";
import { photosTexts as t } from "./texts.ts";

export function PhotosScreen() {
  const filters = useFilters();
  const setFilters = useSetFilters();
  const { source, total, error, refetch } = useLibrary(filters);
  const selection = useSelection<number>(() => []);
  const handle = useRef<GridHandle>(null);
  const navigate = useNavigate();
  const actions = useMemo(
    () => ({
      href: ({ id }: { id: number }) => `/studio/photos/${id}?${new URLSearchParams(toSearch(filters)).toString()}`,
      open: ({ id }: { id: number }) =>
        void navigate({ to: "/photos/$id", params: { id: String(id) }, search: toSearch(filters) }),
      toggle: ({ id }: { id: number }) => selection.toggle(id),
      selectSection() {},
    }),
    [filters, navigate, selection.toggle],
  );
  return (
    <Screen
      title={t.title}
      isWide
      about={total === undefined ? undefined : total === 1 ? t.one : t.count(formatNumber(total))}
    >
      <div className="grid gap-2">
        <FilterBar filters={filters} onChange={setFilters} />
        {source && source.sections.length > 0 ? (
          <PhotoGrid
            source={source}
            actions={actions}
            selected={selection.keys}
            isSelecting={selection.keys.size > 0}
            handle={handle}
          />
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : source ? (
          <NoPhotos filters={filters} onClear={() => setFilters({})} />
        ) : (
          <Loading />
        )}
      </div>
    </Screen>
  );
}

function NoPhotos({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  if (Object.keys(filters).length > 0) {
    return (
      <Empty icon={<ImageOff />} title={t.nothing} action={<Button onClick={onClear}>{t.clearFilters}</Button>}>
        {t.nothingHint}
      </Empty>
    );
  }
  return (
    <Empty icon={<ImagePlus />} title={t.empty}>
      {t.emptyHint}
    </Empty>
  );
}
