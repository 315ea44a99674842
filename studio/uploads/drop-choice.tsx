import type { DragEvent } from "react";
import type { Visibility } from "../lib/default-visibility.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { iconOf } from "../ui/visibility-mark.tsx";
import { useUploadVisibility } from "./chosen-visibility.ts";
import { hasFiles } from "./read-dropped.ts";
import { uploadTexts as t } from "./texts.ts";

type Props = {
  /** What happens to the files. */
  label: string;
  /** Then there is no choice. */
  isInPrivateFolder?: boolean;
  usual?: Visibility | undefined;
  onDrop: (data: DataTransfer, visibility: Visibility) => void;
};

/**
 * Shown while files are dragged: where they are dropped decides who sees them. Beside the two, they become what is marked.
 * The element around it takes the drag.
 */
export function DropChoice({ label, isInPrivateFolder = false, usual, onDrop }: Props) {
  const marked = useUploadVisibility(usual);
  const Lock = iconOf("private");
  return (
    <div className="pointer-events-none grid justify-items-center gap-3 rounded-card border border-line bg-surface p-4 text-center shadow-float">
      <p className="font-medium">{label}</p>
      {isInPrivateFolder ? (
        <p className="flex items-center gap-2 text-sm text-soft">
          <Lock className="size-4" />
          {t.byFolder}
        </p>
      ) : (
        <div className="flex gap-3">
          {(["public", "private"] as const).map((visibility) => {
            const Icon = iconOf(visibility);
            return (
              <div
                key={visibility}
                data-drop={visibility}
                className={classes(
                  "pointer-events-auto grid w-40 justify-items-center gap-1 rounded-card border-2 border-dashed px-3 py-4",
                  "[&.is-over]:border-solid [&.is-over]:bg-tint",
                  visibility === marked ? "border-accent" : "border-line",
                )}
                onDragEnter={({ currentTarget }) => currentTarget.classList.add("is-over")}
                onDragLeave={({ currentTarget, relatedTarget }) => {
                  if (!currentTarget.contains(relatedTarget as Node | null)) currentTarget.classList.remove("is-over");
                }}
                onDrop={(event: DragEvent) => {
                  if (!hasFiles(event)) return;
                  event.preventDefault();
                  onDrop(event.dataTransfer, visibility);
                }}
              >
                <Icon className="size-5 text-accent" />
                <span className="font-medium">{words[visibility]}</span>
                <span className="text-sm text-soft">{t.dropHint[visibility]}</span>
              </div>
            );
          })}
        </div>
      )}
    </div>
  );
}
