import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { translate } from "../lib/language.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { removeToast, type ShownToast, undoLast, useToasts } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button, IconButton } from "./button.tsx";
import { classes } from "./classes.ts";

const t = translate({
  en: { dismiss: "Dismiss", undo: "Undo", undoLast: "Undo the last change" },
  de: {
    dismiss: "Ausblenden",
    undo: "Rückgängig",
    undoLast: "Letzte Änderung rückgängig machen",
  },
});

export function Toasts() {
  const toasts = useToasts();
  useShortcuts([{ keys: "mod+z", label: t.undoLast, run: undoLast }]);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-40 flex flex-col items-center gap-2 px-4 md:bottom-6"
    >
      {toasts.map((toast) => (
        <Line key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function Line({ toast: { id, text, isFailure, undo, retry, action } }: { toast: ShownToast }) {
  // It stays while a person is about to press its button.
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => removeToast(id), isFailure || action ? 15_000 : undo ? 10_000 : 5_000);
    return () => clearTimeout(timer);
  }, [id, isFailure, action, undo, isHeld]);
  const act = undo ?? retry;
  const actions = [...(action ? [action] : []), ...(act ? [{ label: undo ? t.undo : words.retry, run: act }] : [])];
  return (
    <div
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className={classes(
        "pointer-events-auto flex max-w-xl items-center gap-2 rounded-card border bg-surface py-1.5 pr-1.5 pl-4 shadow-float appear",
        isFailure ? "border-danger" : "border-line",
        action && "flex-wrap",
      )}
    >
      <p className={classes("flex-1 py-1", isFailure && "text-danger")}>{text}</p>
      {/* Two buttons have their own line. */}
      <div className={action ? "order-last -ml-3 flex basis-full flex-wrap" : "contents"}>
        {actions.map(({ label, run }) => (
          <Button
            key={label}
            variant="quiet"
            className="font-medium !text-accent"
            onClick={() => {
              removeToast(id);
              run();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      <IconButton label={t.dismiss} onClick={() => removeToast(id)}>
        <X />
      </IconButton>
    </div>
  );
}
