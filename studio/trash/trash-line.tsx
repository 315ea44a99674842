import { RotateCcw, Trash2 } from "lucide-react";
import type { CSSProperties } from "react";
import type { TrashEntry } from "../../client/src/index.ts";
import { formatAgo, formatTime } from "../lib/format.ts";
import { findKind, recordKinds } from "../lib/kinds.ts";
import { useOwnerName } from "../lib/owners.ts";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { RecordThumb } from "../ui/record-thumb.tsx";
import { trashTexts as t } from "./texts.ts";

const day = 86_400_000;

type Props = {
  entry: TrashEntry;
  index: number;
  style: CSSProperties;
  isSelected: boolean;
  onSelect: (isRange: boolean) => void;
  onRestore: () => void;
  onDelete: () => void;
};

/** One deletion: what, when, by whom, and how long it stays. */
export function TrashLine({ entry, index, style, isSelected, onSelect, onRestore, onDelete }: Props) {
  const { icon, one } = findKind(entry) ?? recordKinds[entry.kind];
  const name = entry.name || words.unnamed;
  const who = useOwnerName(entry.deletedByID) ?? t.you;
  const daysLeft = Math.floor((Date.parse(entry.expiresAt) - Date.now()) / day);
  return (
    <li
      data-index={index}
      style={style}
      className={classes(
        "absolute inset-x-0 top-0 flex items-center gap-3 border-b border-line px-2 md:px-4",
        isSelected && "bg-accent/12",
      )}
    >
      <label className="grid size-8 shrink-0 place-items-center pointer-coarse:size-11">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={words.select(name)}
          className="size-5 accent-accent"
          onChange={() => {}}
          onClick={(event) => onSelect(event.shiftKey)}
        />
      </label>
      <RecordThumb image={entry.image} icon={icon} label={one} className="max-md:-ml-2" />
      <div className="min-w-0 flex-1">
        <p className="truncate">{name}</p>
        <p className="truncate text-sm text-soft">
          <time dateTime={entry.deletedAt} title={formatTime(entry.deletedAt)} className="max-md:hidden">
            {t.deletedBy(formatAgo(entry.deletedAt), who)}
            {" · "}
          </time>
          <span className={classes(daysLeft < 3 && "text-notice")}>{t.stays(daysLeft)}</span>
        </p>
      </div>
      <Button
        variant="quiet"
        icon={<RotateCcw aria-hidden="true" />}
        aria-label={words.restoreOne(name)}
        className="max-md:!px-2.5"
        onClick={onRestore}
      >
        <span className="max-md:hidden">{words.restore}</span>
      </Button>
      <IconButton label={t.deleteOne(name)} onClick={onDelete}>
        <Trash2 />
      </IconButton>
    </li>
  );
}
