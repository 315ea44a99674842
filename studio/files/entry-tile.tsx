import { memo } from "react";
import { formatBytes } from "../lib/format.ts";
import { classes } from "../ui/classes.ts";
import { useDropTarget } from "./drag.ts";
import { dragOf, EntryMark, type EntryProps, MoreButton } from "./entry-row.tsx";
import { KindIcon } from "./kinds.tsx";
import { pathOf } from "./paths.ts";
import { RenameField } from "./rename-field.tsx";
import { fileTexts as t } from "./texts.ts";
import { Thumbnail } from "./thumbnail.tsx";

/** One cell of a grid. */
export const EntryTile = memo(function EntryTile(props: EntryProps & { width: number }) {
  const { entry, index, isSelected, isActive, isCut, isRenaming, width, dragWith } = props;
  const { isOver, handlers } = useDropTarget(entry.isDirectory ? pathOf(entry) : null, props.drops);
  return (
    <div
      role="gridcell"
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      style={{ width }}
      {...handlers}
      className="group relative p-1.5 outline-none select-none"
    >
      <div
        {...dragOf(entry, isRenaming, dragWith)}
        className={classes(
          "flex h-full flex-col gap-1.5 rounded-card p-1.5 group-focus-visible:outline-2 group-focus-visible:outline-accent",
          isSelected ? "bg-accent/12" : "hover:bg-tint",
          isOver && "ring-2 ring-accent ring-inset",
          isCut && "opacity-60",
        )}
      >
        <div className="grid min-h-0 flex-1 place-items-center overflow-hidden rounded-control">
          <Thumbnail
            entry={entry}
            className="max-h-full max-w-full"
            icon={<KindIcon file={entry} className="size-12 stroke-[1.1]" />}
          />
        </div>
        {isRenaming ? (
          <RenameField entry={entry} onEnd={props.endRename} />
        ) : (
          <div className="min-w-0 text-center">
            <p className="flex items-center justify-center gap-1">
              <span className="truncate text-sm" title={entry.name}>
                {entry.name}
              </span>
              <EntryMark entry={entry} isInPrivate={props.isInPrivate} />
            </p>
            <p className="truncate text-xs text-soft">{entry.isDirectory ? t.kinds.folder : formatBytes(entry.size)}</p>
          </div>
        )}
      </div>
      <MoreButton
        entry={entry}
        className="absolute top-2 right-2 rounded-full bg-surface/80 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
      />
    </div>
  );
});
