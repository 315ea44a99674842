import { Link } from "@tanstack/react-router";
import { ArrowLeft, ArrowRight, Ellipsis, Images, Sparkles } from "lucide-react";
import type { KeyboardEvent, PointerEvent } from "react";
import type { Album } from "../../client/src/index.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { words } from "../lib/words.ts";
import { sourceOf } from "../pickers/thumb.tsx";
import { IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { ContextMenu, Menu, type MenuItem } from "../ui/menu.tsx";
import { VisibilityMark } from "../ui/visibility-mark.tsx";
import { useAlbumActions } from "./album-actions.tsx";
import { albumTexts as t } from "./texts.ts";

/** How the card is moved among those beside it. */
export type Ordering = {
  /** Whether it is the one that is being moved. */
  isMoved: boolean;
  onPress: (event: PointerEvent) => void;
  onKey: (event: KeyboardEvent) => void;
  hasDragged: () => boolean;
  moveBack?: () => void;
  moveOn?: () => void;
};

type Props = {
  album: Album;
  /** The number of albums in it. */
  inside: number;
  /** The names of the albums around it, if it is shown out of its place. */
  place?: string;
  ordering?: Ordering;
};

export function AlbumCard({ album, inside, place, ordering }: Props) {
  const { items: actions, dialogs } = useAlbumActions(album);
  const { id, name, cover, photoCount, visibility, filter } = album;
  const items = [...actions.slice(0, -1), ...movesOf(ordering), ...actions.slice(-1)];
  return (
    <li
      className={classes("group relative min-w-0", ordering?.isMoved && "opacity-50")}
      onPointerDown={ordering?.onPress}
      onKeyDown={ordering?.onKey}
    >
      <ContextMenu items={() => items}>
        <Link
          to="/albums/$id"
          params={{ id: String(id) }}
          draggable={false}
          aria-keyshortcuts={ordering ? "Alt+ArrowLeft Alt+ArrowRight" : undefined}
          onClick={(event) => ordering?.hasDragged() && event.preventDefault()}
          className="block rounded-card no-underline focus-visible:outline-offset-4"
        >
          <Cover source={cover && sourceOf(cover, 480)} />
          <span className="mt-2 line-clamp-2 leading-snug font-medium break-words text-ink" dir="auto" title={name}>
            {name}
          </span>
          <span className="mt-0.5 flex items-center gap-1.5 text-sm text-soft">
            <VisibilityMark visibility={visibility} />
            {filter && <Sparkles className="size-4 shrink-0" role="img" aria-label={t.smart} />}
            <span className="truncate">
              {[place, countOf(recordKinds.photo, photoCount), inside > 0 && countOf(recordKinds.album, inside)]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </span>
        </Link>
      </ContextMenu>
      <div className="absolute top-1.5 right-1.5">
        <Menu items={items}>
          <IconButton
            label={words.actionsFor(name)}
            className="!size-8 !min-h-8 !rounded-full !bg-black/55 !text-white hover:!bg-black/75 pointer-coarse:!size-9 pointer-coarse:!min-h-9"
          >
            <Ellipsis />
          </IconButton>
        </Menu>
      </div>
      {dialogs}
    </li>
  );
}

function movesOf(ordering: Ordering | undefined): MenuItem[] {
  const items = [
    ordering?.moveBack && { label: t.moveBack, icon: <ArrowLeft />, run: ordering.moveBack },
    ordering?.moveOn && { label: t.moveOn, icon: <ArrowRight />, run: ordering.moveOn },
  ].filter((item) => item !== undefined);
  return items.length === 0 ? [] : [...items, null];
}

const Cover = ({ source }: { source: string | null }) => (
  <span className="relative grid aspect-[4/3] place-items-center overflow-hidden rounded-card border border-line bg-tint text-soft">
    {source ? (
      <img
        src={source}
        alt=""
        draggable={false}
        loading="lazy"
        decoding="async"
        className="absolute inset-0 size-full object-cover"
      />
    ) : (
      <Images className="size-8 stroke-[1.25]" />
    )}
  </span>
);
