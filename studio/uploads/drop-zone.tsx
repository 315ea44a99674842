import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Visibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { classes } from "../ui/classes.ts";
import { DropChoice } from "./drop-choice.tsx";
import { hasFiles, readDropped } from "./read-dropped.ts";
import { uploadTexts as t } from "./texts.ts";
import type { ChosenFile } from "./upload.ts";

type Props = {
  /** Without a visibility, the files become what uploads are otherwise. */
  onFiles: (chosen: ChosenFile[], visibility?: Visibility) => void;
  /** What happens to the files, such as “Drop to add to Lisbon”. */
  label?: string;
  usual?: Visibility | undefined;
  className?: string;
  children: ReactNode;
};

/** Takes files and whole folders that are dragged onto what is in it. There must be a button that does the same. */
export function DropZone({ onFiles, label = t.drop, usual, className, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  /** The elements in the zone that the pointer is in: it enters one before it leaves the other. */
  const depth = useRef(0);
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by);
    setIsOver(depth.current > 0);
  };
  // The zone does not notice a drag that ends elsewhere.
  useEffect(() => {
    const end = () => {
      depth.current = 0;
      setIsOver(false);
    };
    addEventListener("drop", end);
    addEventListener("dragend", end);
    return () => {
      removeEventListener("drop", end);
      removeEventListener("dragend", end);
    };
  }, []);
  const take = async (data: DataTransfer, visibility?: Visibility) => {
    try {
      const chosen = await readDropped(data);
      if (chosen.length > 0) onFiles(chosen, visibility);
      else showToast({ text: t.empty });
    } catch (error) {
      showToast({ text: explain(error), isFailure: true });
    }
  };

  return (
    <div
      className={classes("relative", className)}
      onDragEnter={(event) => hasFiles(event) && enter(1)}
      onDragLeave={(event) => hasFiles(event) && enter(-1)}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={(event) => {
        if (!hasFiles(event) || event.defaultPrevented) return;
        event.preventDefault();
        void take(event.dataTransfer);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-30 rounded-card border-2 border-dashed border-accent bg-paper/80">
          <div className="sticky top-[35dvh] mx-auto w-fit">
            <DropChoice label={label} usual={usual} onDrop={(data, visibility) => void take(data, visibility)} />
          </div>
        </div>
      )}
    </div>
  );
}
