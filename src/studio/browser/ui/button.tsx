import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";

const looks = {
  /** The main action of a screen or dialog: at most one. */
  main: "bg-accent text-on-accent border-transparent hover:opacity-90 font-medium",
  plain: "bg-surface text-ink border-line hover:bg-tint",
  quiet: "bg-transparent text-ink border-transparent hover:bg-tint",
  danger: "bg-transparent text-danger border-line hover:bg-tint",
};

export type Look = keyof typeof looks;
type Props = ComponentProps<"button"> & { look?: Look; icon?: ReactNode; isBusy?: boolean };

export function Button({ look = "plain", icon, isBusy = false, children, className, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(buttonClass(look), className)}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** For links that look like buttons. */
export const buttonClass = (look: Look = "plain"): string =>
  classes(
    "inline-flex min-h-9 items-center justify-center gap-2 rounded-control border px-3 py-1.5 whitespace-nowrap no-underline",
    "disabled:opacity-50 pointer-coarse:min-h-11 transition-colors [&>svg]:size-4 [&>svg]:shrink-0",
    looks[look],
  );

/** For links that look like buttons with an icon alone. */
export const iconButtonClass = (look: Look = "quiet"): string =>
  classes(buttonClass(look), "size-9 !px-0 pointer-coarse:size-11 [&>svg]:size-[1.15rem]");

type IconProps = Omit<ComponentProps<"button">, "children"> & { label: string; look?: Look; children: ReactNode };

/** A button with an icon alone. The label is read aloud and shown as a tooltip. */
export function IconButton({ label, look = "quiet", className, children, ...rest }: IconProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classes(iconButtonClass(look), className)}
    >
      {children}
    </button>
  );
}

export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "inline-block size-4 animate-spin rounded-full border-2 border-current border-r-transparent",
        className,
      )}
    />
  );
}
