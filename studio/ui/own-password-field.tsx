import type { ComponentProps } from "react";
import { useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { TextField } from "./field.tsx";

type Props = Pick<ComponentProps<typeof TextField>, "value" | "error" | "required"> & {
  label?: string;
  onChange: (password: string) => void;
};

/** The password of the person who is signed in, with the username beside it for password managers. */
export function OwnPasswordField({ label = words.yourPassword, onChange, ...rest }: Props) {
  const { username } = useMe();
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <TextField
        type="password"
        label={label}
        autoComplete="current-password"
        {...rest}
        onChange={({ target }) => onChange(target.value)}
      />
    </>
  );
}
