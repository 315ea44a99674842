import { Link } from "@tanstack/react-router";
import { Ellipsis, Images } from "lucide-react";
import type { Album } from "../../client/src/index.ts";
import { sourceOf } from "../pickers/thumb.tsx";
import { IconButton } from "../ui/button.tsx";
import { ContextMenu, Menu } from "../ui/menu.tsx";
import { VisibilityMark } from "../ui/visibility-mark.tsx";
import { useAlbumActions } from "./album-actions.tsx";
import { albumTexts as t } from "./texts.ts";

type Props = {
  album: Album;
  /** The number of albums in it. */
  inside: number;
  /** The names of the albums around it, if it is shown out of its place. */
  place?: string;
};

export function AlbumCard({ album, inside, place }: Props) {
  const { items, dialogs } = useAlbumActions(album);
  const { id, name, cover, photoCount, visibility } = album;
  return (
    <li className="group relative min-w-0">
      <ContextMenu items={() => items}>
        <Link
          to="/albums/$id"
          params={{ id: String(id) }}
          className="block rounded-card no-underline focus-visible:outline-offset-4"
        >
          <Cover source={cover && sourceOf(cover, 320)} />
          <span className="mt-2 flex items-center gap-1.5 pr-10 font-medium text-ink">
            <span className="truncate" dir="auto">
              {name}
            </span>
            <VisibilityMark visibility={visibility} />
          </span>
          <span className="block truncate pr-10 text-sm text-soft">
            {[place, t.photos(photoCount), inside > 0 && t.albums(inside)].filter(Boolean).join(" · ")}
          </span>
        </Link>
      </ContextMenu>
      <div className="absolute right-0 bottom-0">
        <Menu items={items}>
          <IconButton label={t.actions(name)}>
            <Ellipsis />
          </IconButton>
        </Menu>
      </div>
      {dialogs}
    </li>
  );
}

export const albumList = "grid grid-cols-[repeat(auto-fill,minmax(min(10rem,44%),1fr))] gap-x-4 gap-y-6";

const Cover = ({ source }: { source: string | null }) => (
  <span className="relative grid aspect-[4/3] place-items-center overflow-hidden rounded-card border border-line bg-tint text-soft">
    {source ? (
      <img src={source} alt="" loading="lazy" decoding="async" className="absolute inset-0 size-full object-cover" />
    ) : (
      <Images className="size-8 stroke-[1.25]" />
    )}
  </span>
);
