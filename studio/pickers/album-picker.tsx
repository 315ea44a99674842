import { useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Album } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Result } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { VisibilityMark } from "../ui/visibility-mark.tsx";
import { flatten, myAlbumsQuery, toTree } from "./my-albums.ts";
import { pickTexts as t } from "./texts.ts";
import { Thumb } from "./thumb.tsx";

type Props = {
  title?: string;
  onPick: (album: Album) => void;
  /** Also offers to choose none: the top level, where an album is moved. */
  onPickNone?: () => void;
  onClose: () => void;
  /** Albums that cannot be chosen. */
  without?: ReadonlySet<number>;
  /** Whether an album can be created here. */
  canCreate?: boolean;
};

/** One of one's own albums. Nothing can be put into smart albums. */
export function AlbumPicker(props: Props) {
  const { title = words.chooseAlbum, onPick, onPickNone, onClose, without, canCreate = false } = props;
  const [text, setText] = useState("");
  const albums = useQuery(myAlbumsQuery);
  const query = text.trim().toLowerCase();
  const pick = (album: Album) => {
    onPick(album);
    onClose();
  };
  const create = async () => {
    try {
      pick(await api.createAlbum({ name: text.trim() || words.newAlbum }));
      void queries.invalidateQueries({ queryKey: ["albums"] });
    } catch (error) {
      showToast({ text: explain(error), isFailure: true });
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <SearchField label={t.searchAlbums} value={text} onChange={setText} className="mb-3 w-full" />
      <Result of={albums}>
        {(list) => {
          const found = flatten(toTree(list)).filter(
            ({ album }) => !album.filter && !without?.has(album.id) && album.name.toLowerCase().includes(query),
          );
          return (
            <ul className="grid gap-0.5">
              {onPickNone && !query && (
                <Line icon={<CornerLeftUp className="size-5" />} onClick={() => (onPickNone(), onClose())}>
                  {t.topLevel}
                </Line>
              )}
              {canCreate && (
                <Line icon={<Plus className="size-5" />} onClick={() => void create()}>
                  {query ? t.newAlbumNamed(text.trim()) : words.newAlbum}
                </Line>
              )}
              {found.map(({ album, depth }) => (
                <AlbumLine key={album.id} album={album} depth={query ? 0 : depth} onClick={() => pick(album)} />
              ))}
              {found.length === 0 && !canCreate && (
                <li className="py-4 text-center text-soft">{list.length === 0 ? t.noAlbums : words.notFound}</li>
              )}
            </ul>
          );
        }}
      </Result>
    </Dialog>
  );
}

function AlbumLine({ album, depth, onClick }: { album: Album; depth: number; onClick: () => void }) {
  return (
    <Line
      depth={depth}
      onClick={onClick}
      icon={<Thumb photo={album.cover} width={40} className="size-10 rounded-control" />}
    >
      <span className="block truncate" dir="auto">
        {album.name}
      </span>
      <span className="flex items-center gap-1 text-sm text-soft">
        {countOf(recordKinds.photo, album.photoCount)}
        <VisibilityMark visibility={album.visibility} />
      </span>
    </Line>
  );
}

function Line(props: { icon: ReactNode; depth?: number; onClick: () => void; children: ReactNode }) {
  const { icon, depth = 0, onClick, children } = props;
  return (
    <li style={{ paddingInlineStart: `${Math.min(depth, 6) * 1.25}rem` }}>
      <button
        type="button"
        onClick={onClick}
        className="flex min-h-12 w-full items-center gap-3 rounded-control px-2 py-1 text-left hover:bg-tint"
      >
        <span className="grid size-10 shrink-0 place-items-center text-soft">{icon}</span>
        <span className="min-w-0 flex-1">{children}</span>
      </button>
    </li>
  );
}
