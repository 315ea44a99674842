import { X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { buttonClass, IconButton, type Variant } from "./button.tsx";
import { classes } from "./classes.ts";

type Props = { text: string; clearLabel: string; onClear: () => void; children: ReactNode };

/**
 * In place of the head of a screen while something is selected: how much, and what can be done with it. On a phone, the
 * actions are at the lower edge, in place of the sections.
 */
export const SelectionBar = ({ text, clearLabel, onClear, children }: Props) => (
  <div role="toolbar" aria-label={text} className="contents">
    <div className="fixed inset-x-0 top-0 z-40 flex h-14 items-center gap-2 border-b border-line bg-surface px-2 shadow-float md:left-56 md:px-6">
      <IconButton label={clearLabel} onClick={onClear}>
        <X />
      </IconButton>
      <p role="status" className="min-w-0 flex-1 truncate font-medium">
        {text}
      </p>
      <div
        className={classes(
          "max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:flex max-md:border-t max-md:border-line max-md:bg-surface",
          "max-md:pb-[env(safe-area-inset-bottom)] md:flex md:items-center md:gap-1",
        )}
      >
        {children}
      </div>
    </div>
  </div>
);

type ActionProps = Omit<ComponentProps<"button">, "children"> & {
  icon: ReactNode;
  /** What it does, if that is more than the word says. */
  label?: string | undefined;
  word: string;
  variant?: Variant;
};

/** An icon with a word: beside it where there is space, otherwise below it. */
export function BarAction({ icon, label, word, variant = "quiet", className, ...rest }: ActionProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes(
        buttonClass(variant),
        "min-w-0 max-lg:flex-col max-lg:!gap-0.5 max-lg:!px-2 max-lg:!py-1 max-lg:text-xs max-lg:[&>svg]:size-5",
        "max-md:h-16 max-md:flex-1 max-md:!px-0.5",
        className,
      )}
    >
      {icon}
      <span className="max-w-full truncate">{word}</span>
    </button>
  );
}
