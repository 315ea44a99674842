import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { File } from "../../client/src/index.ts";
import { classes } from "../ui/classes.ts";
import { renameEntry } from "./changes.ts";
import { splitName } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";

type Props = { entry: File; onEnd: () => void; className?: string };

/** Changes a name in its place. Enter and leaving keep it, Escape does not. */
export function RenameField({ entry, onEnd, className }: Props) {
  const [name, setName] = useState(entry.name);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    const [stem] = entry.isDirectory ? [entry.name] : splitName(entry.name);
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(0, stem.length);
    // Only when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  function end(isKept: boolean): void {
    if (isOver.current) return;
    isOver.current = true;
    const row = field.current?.closest<HTMLElement>("[data-index]");
    onEnd();
    if (document.activeElement === field.current) row?.focus({ preventScroll: true });
    const wanted = name.trim();
    if (isKept && wanted && wanted !== entry.name) void renameEntry(entry, wanted);
  }

  return (
    <input
      ref={field}
      value={name}
      aria-label={t.newName}
      maxLength={255}
      spellCheck={false}
      autoComplete="off"
      className={classes("control !min-h-8 w-full min-w-0 !py-0.5", className)}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event: KeyboardEvent) => {
        event.stopPropagation();
        if (event.key === "Enter") end(true);
        else if (event.key === "Escape") end(false);
      }}
    />
  );
}
