import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ImagePlus, Images, Plus, Share2 } from "lucide-react";
import { useState } from "react";
import type { AlbumWithPhotos } from "../../client/src/index.ts";
import { useCommands } from "../lib/commands.ts";
import type { Visibility } from "../lib/default-visibility.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { useSelection } from "../lib/selection.ts";
import { words } from "../lib/words.ts";
import { myAlbumsQuery, parentsOf, toTree } from "../pickers/my-albums.ts";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { MoreMenu } from "../ui/menu.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { chooseFiles } from "../uploads/choose-files.ts";
import { uploadVisibility } from "../uploads/chosen-visibility.ts";
import { DropZone } from "../uploads/drop-zone.tsx";
import { photoTypes } from "../uploads/upload-button.tsx";
import { UploadMenu } from "../uploads/upload-menu.tsx";
import { addUploads, type ChosenFile, photoDirectory } from "../uploads/uploads.ts";
import { useAlbumActions } from "./album-actions.tsx";
import { AlbumGrid } from "./album-grid.tsx";
import { AlbumList } from "./album-list.tsx";
import { albumHeartsQuery, albumQuery, loadedIDs } from "./album-photos.ts";
import { addPhotos } from "./change-photos.ts";
import { describeFilter } from "./describe-filter.ts";
import { SelectionActions } from "./selection-actions.tsx";
import { albumTexts as t } from "./texts.ts";

export function AlbumScreen() {
  const id = Number(useParams({ strict: false }).id);
  const album = useQuery(albumQuery(id));
  if (album.data) return <Content key={id} album={album.data} />;
  return (
    <Screen title={words.albums}>
      <Result of={album}>{() => null}</Result>
    </Screen>
  );
}

function Content({ album }: { album: AlbumWithPhotos }) {
  const { id, name, description, photoCount } = album;
  const isSmart = album.filter !== null;
  const navigate = useNavigate();
  const [isPicking, setIsPicking] = useState(false);
  const selection = useSelection(() => loadedIDs(id));
  const { items, dialogs, share } = useAlbumActions(album, { onDeleted: () => navigate({ to: "/albums" }) });
  // Photos of a private album can be public, but no one expects that of new ones.
  const usual = album.visibility === "private" ? "private" : undefined;
  const upload = (chosen: readonly ChosenFile[], visibility: Visibility = uploadVisibility(usual)) =>
    addUploads(chosen, { directory: photoDirectory, isPhoto: true, albumID: id, visibility });
  const choose = async () => upload(await chooseFiles({ accept: photoTypes }));
  const additions = [
    { label: t.add, group: name, run: () => setIsPicking(true) },
    { label: t.uploadFiles, group: name, run: () => void choose() },
  ];
  useCommands([
    ...(isSmart ? [] : additions),
    ...items.filter((item) => item !== null).map(({ label, run }) => ({ label, group: name, run })),
  ]);

  const add = (wordClass?: string) => (
    <UploadMenu
      accept={photoTypes}
      onFiles={upload}
      usual={usual}
      privateHint={usual ? undefined : t.privateHint}
      labels={{ files: t.uploadFiles, folder: t.uploadFolder }}
      others={[{ label: t.fromLibrary, icon: <ImagePlus />, run: () => setIsPicking(true) }, null]}
    >
      <Button variant="main" icon={<Plus />}>
        <span className={wordClass}>{t.add}</span>
      </Button>
    </UploadMenu>
  );
  const screen = (
    <>
      {selection.keys.size > 0 && <SelectionActions album={album} selection={selection} />}
      <Screen
        title={name}
        isWide
        about={<Place album={album} />}
        actions={
          selection.keys.size === 0 && (
            <>
              {!isSmart && add("max-sm:sr-only")}
              <IconButton label={words.share} variant="plain" onClick={share}>
                <Share2 />
              </IconButton>
              <MoreMenu label={words.more} variant="plain" items={items} />
            </>
          )
        }
      >
        {description && <Description text={description} />}
        <Inside id={id} />
        {photoCount === 0 ? (
          <Empty icon={<Images />} title={t.empty} action={!isSmart && add()}>
            {isSmart ? t.emptySmartHint : t.emptyHint}
          </Empty>
        ) : (
          <AlbumGrid album={album} selection={selection} />
        )}
      </Screen>
      {isPicking && (
        <PhotoPicker
          title={t.add}
          onPick={(photos) => void addPhotos(id, photos)}
          onClose={() => setIsPicking(false)}
        />
      )}
      {dialogs}
    </>
  );
  if (isSmart) return screen;
  return (
    <DropZone onFiles={upload} label={t.drop(name)} usual={usual} className="min-h-[calc(100dvh-5rem)] md:min-h-dvh">
      {screen}
    </DropZone>
  );
}

/** Where it is, and what is in it. */
function Place({ album }: { album: AlbumWithPhotos }) {
  const albums = useQuery(myAlbumsQuery).data ?? [];
  const hearts = useQuery(albumHeartsQuery(album.id)).data?.hearts ?? 0;
  return (
    <>
      <Link to="/albums">{words.albums}</Link>
      {parentsOf(albums, album).map(({ id, name }) => (
        <span key={id}>
          {" / "}
          <Link to="/albums/$id" params={{ id: String(id) }}>
            {name}
          </Link>
        </span>
      ))}
      {` · ${countOf(recordKinds.photo, album.photoCount)}`}
      {hearts > 0 && ` · ${t.hearts(hearts)}`}
      {` · ${words[album.visibility]}`}
      {album.filter && ` · ${t.smart}: ${describeFilter(album.filter)}`}
    </>
  );
}

/** One line of it, or all after a click: the photos are not far below. */
function Description({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      className={classes(
        "mb-3 block max-w-prose text-left text-soft",
        isOpen ? "whitespace-pre-line" : "w-full truncate",
      )}
      dir="auto"
    >
      {text}
    </button>
  );
}

function Inside({ id }: { id: number }) {
  const albums = useQuery(myAlbumsQuery).data ?? [];
  const nodes = toTree(albums.filter((album) => album.parentID === id));
  if (nodes.length === 0) return null;
  return (
    <section aria-label={t.inside} className="mb-8">
      <AlbumList
        entries={nodes.map(({ album }) => ({
          album,
          inside: albums.filter(({ parentID }) => parentID === album.id).length,
        }))}
      />
    </section>
  );
}
