import { hashPassword } from "../../platform/auth/passwords.ts";
import type { Reader } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";
import type { Role } from "../../platform/http/route.ts";
import { fold } from "../../platform/text.ts";
import { late } from "../../platform/once.ts";
import type { Settings } from "../settings/settings.ts";
import { type FixedSettings, readSettings } from "../settings/store.ts";

const loadCommonPasswords = late(() => import("./common-passwords.ts"));

const shortestName = 3;
const shortestStrong = 8;

/** `role` is that of the account. */
type Chosen = { username: string; password: string; role: Role };

/** As it is stored. `warning` says what to do about a weak one. */
export type NewPassword = { hash: string; warning: string | null };

/** Hashes a new password. Throws if it is weak and has to be strong. Passwords that are in use already are not asked. */
export async function hashNewPassword(
  db: Reader,
  fixed: FixedSettings,
  chosen: Chosen,
  field = "password",
): Promise<NewPassword> {
  const warning = await checkNewPassword(db, fixed, chosen, field);
  return { hash: await hashPassword(chosen.password), warning };
}

/** Returns the warning for a weak password that is accepted; null for a strong one. */
export async function checkNewPassword(
  db: Reader,
  fixed: FixedSettings,
  chosen: Chosen,
  field = "password",
): Promise<string | null> {
  const settings = await readSettings(db, fixed);
  const weakness = await findWeakness(chosen, settings.siteName);
  if (weakness === null) return null;
  if (!needsStrongPassword(chosen.role, settings)) return `${weakness} Change it to a few random words.`;
  if (isTooShort(chosen.password)) throw invalid(`"${field}" must have at least ${shortestStrong} characters.`, field);
  throw invalid(`${weakness} Choose another one.`, field);
}

/** Whoever decides about the whole site needs one, whatever the rule is. */
export const needsStrongPassword = (role: Role, { passwordRule }: Pick<Settings, "passwordRule">): boolean =>
  role === "admin" || passwordRule === "strong";

export const isTooShort = (password: string): boolean => Array.from(password).length < shortestStrong;

/** Why others would guess the password soon, as a sentence; null if they would not. */
async function findWeakness({ username, password }: Chosen, siteName: string): Promise<string | null> {
  const contains = (name: string) => {
    const [whole, part] = [squeeze(password), squeeze(name)];
    return Array.from(part).length >= shortestName && whole.includes(part);
  };
  if (isTooShort(password)) return `This password is easy to guess: it has fewer than ${shortestStrong} characters.`;
  if (contains(username) || contains(siteName))
    return "This password is easy to guess: it contains the username or the name of the site.";
  // Its words take memory, and most servers that start are asked for no new password.
  const { isCommonPassword } = await loadCommonPasswords();
  return isCommonPassword(password)
    ? "This password is easy to guess: it is like those that very many people use."
    : null;
}

/** Without spaces and case. */
const squeeze = (text: string): string => fold(text.normalize("NFKC")).replaceAll(/\s/g, "");
