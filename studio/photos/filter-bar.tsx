import { Link } from "@tanstack/react-router";
import { Heart, ListFilter, MapPinned, Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useIsAdmin } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { viewOf } from "../map/view.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Menu } from "../ui/menu.tsx";
import { SearchField } from "../ui/search-field.tsx";
import type { Filters } from "./filters.ts";
import { photosTexts as t } from "./texts.ts";

type Props = { filters: Filters; onChange: (filters: Filters) => void };

export function FilterBar({ filters, onChange }: Props) {
  const isAdmin = useIsAdmin();
  const set = (name: keyof Filters, value: string) => {
    const others: Filters = { ...filters };
    delete others[name];
    // A search cannot be limited by albums.
    if (name === "album") delete others.q;
    if (name === "title") delete others.owner;
    onChange(value ? { ...others, [name]: value } : others);
  };
  const choice = (name: keyof Filters, value: string, label: string) => ({
    label,
    isChecked: (filters[name] ?? "") === value,
    run: () => set(name, value),
  });
  const chosen = [filters.kind, filters.visibility, filters.album, filters.title, filters.owner].filter(Boolean).length;
  return (
    <div role="search" aria-label={t.filters} className="mb-1 flex flex-wrap items-center gap-1.5 md:gap-2 xl:mb-0">
      <TextFilter label={words.searchPhotos} value={filters.q ?? ""} onChange={(value) => set("q", value)} isMain />
      <TextFilter label={words.tag} value={filters.tag ?? ""} onChange={(value) => set("tag", value)} />
      <Button
        aria-pressed={filters.favourite === "only"}
        icon={<Heart className={classes(filters.favourite && "fill-current text-accent")} />}
        onClick={() => set("favourite", filters.favourite ? "" : "only")}
        aria-label={words.favourites}
        className={classes("max-md:!px-3", filters.favourite && "!border-accent")}
      >
        <span className="max-md:hidden">{words.favourites}</span>
      </Button>
      <Menu
        items={[
          choice("kind", "", words.photosAndVideos),
          choice("kind", "image", words.photos),
          choice("kind", "video", words.videos),
          null,
          choice("visibility", "", t.anyVisibility),
          choice("visibility", "public", words.public),
          choice("visibility", "private", words.private),
          null,
          choice("album", "", t.anyAlbum),
          choice("album", "none", t.noAlbum),
          null,
          choice("title", "", t.anyTitle),
          choice("title", "none", t.noTitle),
          ...(isAdmin ? [null, choice("owner", "", t.mine), choice("owner", "all", t.everyone)] : []),
        ]}
      >
        <Button
          icon={<ListFilter />}
          aria-label={chosen > 0 ? `${t.filter} (${chosen})` : t.filter}
          className={classes("max-md:!px-3", chosen > 0 && "!border-accent")}
        >
          <span className="max-md:hidden">{t.filter}</span>
          {chosen > 0 && <span className="rounded-full bg-accent px-1.5 text-xs text-on-accent">{chosen}</span>}
        </Button>
      </Menu>
      {filters.bbox && (
        <span className="inline-flex min-h-9 items-center gap-1 rounded-control border border-accent pl-3 whitespace-nowrap">
          <Link to="/map" search={viewOf(filters.bbox)} className="inline-flex items-center gap-2">
            <MapPinned className="size-4" />
            {t.area}
          </Link>
          <IconButton label={words.removeArea} onClick={() => set("bbox", "")}>
            <X />
          </IconButton>
        </span>
      )}
      {Object.keys(filters).length > 0 && (
        <IconButton label={t.clearFilters} onClick={() => onChange({})}>
          <X />
        </IconButton>
      )}
    </div>
  );
}

const delay = 350;

type TextProps = { label: string; value: string; onChange: (value: string) => void; isMain?: boolean };

/** Takes effect when nothing is typed for a moment. */
function TextFilter({ label, value, onChange, isMain = false }: TextProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      change.current(text.trim());
    }, delay);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className={classes("relative", isMain ? "min-w-24 flex-1 xl:w-56" : "w-28 shrink md:w-32")}>
      {isMain && <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft" />}
      <SearchField
        label={label}
        value={text}
        onChange={setText}
        className={classes("w-full max-md:placeholder:text-sm", isMain && "!pl-8", value && "!border-accent")}
      />
    </div>
  );
}
