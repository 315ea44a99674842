import { Heart, Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useIsAdmin } from "../lib/me.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import type { Filters } from "./filters.ts";
import { photosTexts as t } from "./texts.ts";

type Props = { filters: Filters; onChange: (filters: Filters) => void };

export function FilterBar({ filters, onChange }: Props) {
  const isAdmin = useIsAdmin();
  const set = (name: keyof Filters, value: string) => {
    const { [name]: _, ...others } = filters;
    onChange(value ? ({ ...others, [name]: value } as Filters) : others);
  };
  const choose = (name: keyof Filters, label: string, options: Record<string, string>) => (
    <select
      aria-label={label}
      value={filters[name] ?? ""}
      onChange={(event) => set(name, event.target.value)}
      className={classes("control max-w-full min-w-0", filters[name] && "!border-accent")}
    >
      {Object.entries(options).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
  return (
    <div role="search" aria-label={t.filters} className="flex flex-wrap items-center gap-2">
      <TextFilter label={t.search} value={filters.q ?? ""} onChange={(value) => set("q", value)} isMain />
      <TextFilter label={t.tag} value={filters.tag ?? ""} onChange={(value) => set("tag", value)} />
      <Button
        aria-pressed={filters.favourite === "true"}
        icon={<Heart className={classes(filters.favourite && "fill-current text-accent")} />}
        onClick={() => set("favourite", filters.favourite ? "" : "true")}
        className={classes(filters.favourite && "!border-accent")}
      >
        {t.favourites}
      </Button>
      {choose("kind", t.anyKind, { "": t.anyKind, image: t.images, video: t.videos })}
      {choose("visibility", t.anyVisibility, { "": t.anyVisibility, public: t.isPublic, private: t.isPrivate })}
      {isAdmin && choose("owner", t.mine, { "": t.mine, all: t.everyone })}
      {Object.keys(filters).length > 0 && (
        <Button look="quiet" icon={<X />} onClick={() => onChange({})}>
          {t.clearFilters}
        </Button>
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
    <div className={classes("relative", isMain ? "min-w-40 flex-1 basis-56" : "w-32")}>
      {isMain && <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-soft" />}
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={classes("control w-full", isMain && "!pl-8", value && "!border-accent")}
      />
    </div>
  );
}
