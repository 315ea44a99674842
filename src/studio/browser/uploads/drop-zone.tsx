import { Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { explain } from "../lib/explain.ts";
import { say } from "../lib/toasts.ts";
import { classes } from "../ui/classes.ts";
import { hasFiles, readDropped } from "./read-dropped.ts";
import { uploadTexts as t } from "./texts.ts";
import type { Chosen } from "./upload.ts";

type Props = {
  onFiles: (chosen: Chosen[]) => void;
  /** What happens to the files, such as “Drop to add to Lisbon”. */
  label?: string;
  className?: string;
  children: ReactNode;
};

/** Takes files and whole folders that are dragged onto what is in it. There must be a button that does the same. */
export function DropZone({ onFiles, label = t.drop, className, children }: Props) {
  const [isOver, setIsOver] = useState(false);
  /** The elements in the zone that the pointer is in: it enters one before it leaves the other. */
  const depth = useRef(0);
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by);
    setIsOver(depth.current > 0);
  };
  // A drag that ends elsewhere is not told to the zone.
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
  const take = async (event: DragEvent) => {
    try {
      const chosen = await readDropped(event.dataTransfer);
      if (chosen.length > 0) onFiles(chosen);
      else say({ text: t.empty });
    } catch (error) {
      say({ text: explain(error), isFailure: true });
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
        void take(event);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-30 rounded-card border-2 border-dashed border-accent bg-paper/80">
          <p className="sticky top-[40dvh] mx-auto flex w-fit items-center gap-3 rounded-card border border-accent bg-surface px-5 py-3 font-medium shadow-float">
            <Upload className="size-5 text-accent" />
            {label}
          </p>
        </div>
      )}
    </div>
  );
}
