import type { Reader } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";
import { fold } from "../../platform/text.ts";
import { readSettings } from "../settings/store.ts";

const shortestName = 3;

type Chosen = { username: string; password: string };

/** Throws if others would guess the password soon. Passwords that are in use already are not asked. */
export async function checkNewPassword(db: Reader, { username, password }: Chosen, field = "password"): Promise<void> {
  const { siteName } = await readSettings(db, {});
  const contains = (name: string) => {
    const [whole, part] = [squeeze(password), squeeze(name)];
    return Array.from(part).length >= shortestName && whole.includes(part);
  };
  if (contains(username) || contains(siteName))
    throw invalid("This password is easy to guess: it contains the username or the name of the site.", field);
  // Its words take memory, and most servers that start are asked for no new password.
  const { isCommonPassword } = await import("./common-passwords.ts");
  if (isCommonPassword(password))
    throw invalid(
      "This password is easy to guess: it is like those that very many people use. Choose another one.",
      field,
    );
}

/** Without spaces and case. */
const squeeze = (text: string): string => fold(text.normalize("NFKC")).replaceAll(/\s/g, "");
