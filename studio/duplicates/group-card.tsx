import { Link } from "@tanstack/react-router";
import { Check, Trash2 } from "lucide-react";
import { useState } from "react";
import { formatBytes, formatDay, formatNumber } from "../lib/format.ts";
import { countOf, recordKinds } from "../lib/kinds.ts";
import { sourceOf } from "../pickers/thumb.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Card } from "../ui/screen.tsx";
import type { Group } from "./decide.ts";
import { duplicatesTexts as t } from "./texts.ts";

type Copy = Group["copies"][number];

/** The copies of one picture: those with a mark are kept. */
export function GroupCard({ group, onDecide }: { group: Group; onDecide: (kept: ReadonlySet<number>) => void }) {
  const { copies } = group;
  const all = copies.map(({ photo }) => photo.id);
  const [kept, setKept] = useState<ReadonlySet<number>>(
    () => new Set(copies.filter(({ isBest }) => isBest).map(({ photo }) => photo.id)),
  );
  const keeping = all.filter((id) => kept.has(id));
  const others = all.length - keeping.length;
  const toggle = (id: number) => setKept((before) => before.symmetricDifference(new Set([id])));
  return (
    <Card className="!px-3 !pt-1.5 !pb-3">
      <h2 className="mb-1 font-semibold">{t.copies(all.length)}</h2>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {copies.map((copy) => (
          <CopyTile
            key={copy.photo.id}
            copy={copy}
            isKept={kept.has(copy.photo.id)}
            onToggle={() => toggle(copy.photo.id)}
          />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          icon={others > 0 ? <Trash2 /> : <Check />}
          disabled={keeping.length === 0}
          onClick={() => onDecide(new Set(keeping))}
        >
          {others > 0 ? t.trash(keeping.length, others) : t.keepAll}
        </Button>
        {others > 0 && (
          <Button variant="quiet" onClick={() => onDecide(new Set(all))}>
            {t.notDuplicates}
          </Button>
        )}
      </div>
    </Card>
  );
}

function CopyTile({ copy, isKept, onToggle }: { copy: Copy; isKept: boolean; onToggle: () => void }) {
  const { photo, albumCount, isBest } = copy;
  const source = sourceOf(photo, 320);
  return (
    <li className="min-w-0">
      <label
        className={classes(
          "relative block cursor-pointer overflow-hidden rounded-control border-2 bg-tint",
          "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
          isKept ? "border-accent" : "border-transparent",
        )}
      >
        <input
          type="checkbox"
          checked={isKept}
          onChange={onToggle}
          aria-label={t.keep(photo.title)}
          className="sr-only"
        />
        {/* The whole picture, because copies may be cropped. */}
        {source && (
          <img
            src={source}
            alt=""
            decoding="async"
            draggable={false}
            className={classes("aspect-4/3 w-full object-contain", !isKept && "opacity-50")}
          />
        )}
        <span
          className={classes(
            "absolute top-2 left-2 grid size-6 place-items-center rounded-full border-2",
            isKept ? "border-accent bg-accent text-on-accent" : "border-white bg-black/40",
          )}
        >
          {isKept && <Check className="size-4" />}
        </span>
        {isBest && (
          <span className="absolute right-2 bottom-2 rounded-full bg-black/75 px-2 py-0.5 text-xs text-white">
            {t.best}
          </span>
        )}
      </label>
      <Link
        to="/photos/$id"
        params={{ id: String(photo.id) }}
        aria-label={t.open(photo.title)}
        className="mt-1 block truncate py-1 text-sm font-medium hover:underline"
        dir="auto"
      >
        {photo.title}
      </Link>
      <p className="text-sm text-soft">
        {[
          `${formatNumber(photo.width)} × ${formatNumber(photo.height)}`,
          photo.file && formatBytes(photo.file.size),
          formatDay(photo.takenAt ?? photo.createdAt),
          albumCount > 0 && countOf(recordKinds.album, albumCount),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </li>
  );
}
