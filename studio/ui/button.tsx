import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";

const variants = {
  /** The main action of a screen or dialog: at most one. */
  main: "bg-accent text-on-accent border-transparent hover:opacity-90 font-medium",
  plain: "bg-surface text-ink border-line hover:bg-tint",
  quiet: "bg-transparent text-ink border-transparent hover:bg-tint",
  danger: "bg-transparent text-danger border-line hover:bg-tint",
};

export type Variant = keyof typeof variants;
type Props = ComponentProps<"button"> & { variant?: Variant; icon?: ReactNode; isBusy?: boolean };

export function Button({ variant = "plain", icon, isBusy = false, children, className, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={classes(buttonClass(variant), className)}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** For links that look like buttons. */
export const buttonClass = (variant: Variant = "plain"): string =>
  classes(
    "inline-flex min-h-9 items-center justify-center gap-2 rounded-control border px-3 py-1.5 whitespace-nowrap no-underline",
    "disabled:opacity-50 pointer-coarse:min-h-11 transition-colors [&>svg]:size-4 [&>svg]:shrink-0",
    variants[variant],
  );

/** For links that look like buttons with an icon alone. */
export const iconButtonClass = (variant: Variant = "quiet"): string =>
  classes(buttonClass(variant), "size-9 !px-0 pointer-coarse:size-11 [&>svg]:size-[1.15rem]");

type IconProps = Omit<ComponentProps<"button">, "children"> & { label: string; variant?: Variant; children: ReactNode };

/** A button with an icon alone. The label is read aloud and shown as a tooltip. */
export function IconButton({ label, variant = "quiet", className, children, ...rest }: IconProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={classes(iconButtonClass(variant), className)}
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
