import { Link, useNavigate } from "@tanstack/react-router";
import { ImageOff, ImagePlus, ListChecks, PencilLine } from "lucide-react";
import { useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Photo } from "../../client/src/index.ts";
import { type GridHandle, PhotoGrid } from "../grid/photo-grid.tsx";
import { useCommands } from "../lib/commands.ts";
import type { Visibility } from "../lib/default-visibility.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass, IconButton } from "../ui/button.tsx";
import { Empty, Failure, Loading, Screen } from "../ui/screen.tsx";
import { DropZone } from "../uploads/drop-zone.tsx";
import { SharedDialog } from "../uploads/shared-dialog.tsx";
import { photoTypes, UploadButton } from "../uploads/upload-button.tsx";
import { addUploads, type ChosenFile, photoDirectory } from "../uploads/uploads.ts";
import { FilterBar } from "./filter-bar.tsx";
import { type Filters, toSearch, useFilters, useSetFilters } from "./filters.ts";
import { setOpenedFromGrid, takeLastSeen } from "./last-seen.ts";
import { sectionOf, useLibrary } from "./library.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { photosTexts as t } from "./texts.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { usePhotoSelection } from "./use-photo-selection.ts";

export function PhotosScreen() {
  const filters = useFilters();
  const setFilters = useSetFilters();
  const { source, about, error, refetch } = useLibrary(filters);
  const grid = useRef<GridHandle>(null);
  const selection = usePhotoSelection(source, grid);
  const [dialog, setDialog] = useState<"album" | "edit" | null>(null);
  const [start] = useState(takeLastSeen);
  const navigate = useNavigate();
  const { toggle, toggleSection } = selection;
  const actions = useMemo(() => {
    const search = toSearch(filters);
    return {
      href: ({ id }: Photo) => `/studio/photos/${id}?${new URLSearchParams(search).toString()}`,
      open(photo: Photo) {
        setOpenedFromGrid(true);
        void navigate({ to: "/photos/$id", params: { id: String(photo.id) }, search });
      },
      toggle,
      selectSection: toggleSection,
    };
  }, [filters, navigate, toggle, toggleSection]);
  useCommands([
    { label: words.writeTitles, group: words.photos, run: () => void navigate({ to: "/photos/titles" }) },
    { label: t.findDuplicates, group: words.photos, run: () => void navigate({ to: "/photos/duplicates" }) },
  ]);
  useGridKeys({ grid, selection, openDialog: setDialog });
  const isWide = useIsWide();
  const filterBar = <FilterBar filters={filters} onChange={setFilters} />;

  return (
    <DropZone onFiles={upload} className="min-h-[calc(100dvh-5rem)] md:min-h-dvh">
      <Screen
        title={words.photos}
        isWide
        about={about}
        actions={
          <>
            {isWide && filterBar}
            {filters.title && source && source.sections.length > 0 && (
              <Link to="/photos/titles" className={buttonClass()}>
                <PencilLine />
                {words.writeTitles}
              </Link>
            )}
            <IconButton label={t.select} variant="plain" onClick={selection.begin}>
              <ListChecks />
            </IconButton>
            <UploadButton variant="main" accept={photoTypes} onFiles={upload} />
          </>
        }
      >
        {!isWide && filterBar}
        {source && source.sections.length > 0 ? (
          <PhotoGrid
            source={source}
            actions={actions}
            selected={selection.keys}
            isSelecting={selection.isSelecting}
            handle={grid}
            start={start && { id: start.id, key: sectionOf(filters, start) }}
          />
        ) : error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : source ? (
          <NoPhotos filters={filters} onClear={() => setFilters({})} />
        ) : (
          <Loading />
        )}
      </Screen>
      <SharedDialog />
      {selection.isSelecting && (
        <SelectionBar
          photos={[...selection.photos.values()]}
          refresh={(ids) => grid.current?.find(ids) ?? []}
          onClear={selection.clear}
          open={dialog}
          onOpen={setDialog}
        />
      )}
    </DropZone>
  );
}

const upload = (chosen: ChosenFile[], visibility?: Visibility): void =>
  addUploads(chosen, { directory: photoDirectory, isPhoto: true, visibility });

function NoPhotos({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  if (Object.keys(filters).length > 0) {
    return (
      <Empty icon={<ImageOff />} title={t.nothing} action={<Button onClick={onClear}>{t.clearFilters}</Button>}>
        {t.nothingHint}
      </Empty>
    );
  }
  return (
    <Empty
      icon={<ImagePlus />}
      title={t.empty}
      action={<UploadButton variant="main" accept={photoTypes} onFiles={upload} />}
    >
      {t.emptyHint}
    </Empty>
  );
}

/** With the sections on the left, there is space for a title, filters and actions in one row. */
const wide = matchMedia("(min-width: 75rem)");

const useIsWide = (): boolean => useSyncExternalStore(follow, () => wide.matches);

function follow(onChange: () => void): () => void {
  wide.addEventListener("change", onChange);
  return () => wide.removeEventListener("change", onChange);
}
