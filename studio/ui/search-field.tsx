import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

type Props = Omit<ComponentProps<"input">, "value" | "onChange"> & {
  label: string;
  value: string;
  onChange: (text: string) => void;
};

/** A field whose label is its placeholder. */
export const SearchField = ({ label, onChange, className, ...rest }: Props) => (
  <input
    {...rest}
    type="search"
    aria-label={label}
    placeholder={label}
    className={classes("control", className)}
    onChange={({ target }) => onChange(target.value)}
  />
);
