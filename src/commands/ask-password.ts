import { invalid } from "../platform/errors.ts";
import { validate } from "../platform/http/validate.ts";
import { isTerminal, openPrompt } from "../platform/prompt.ts";
import { hashPassword } from "../platform/auth/passwords.ts";
import type { Reader } from "../platform/database/database.ts";
import { type FixedSettings, readSettings } from "../core/settings/store.ts";
import { checkNewPassword, needsStrongPassword, type NewPassword } from "../core/users/new-password.ts";
import { newPasswordSchema, type User } from "../core/users/user.ts";

/** Asks twice on a terminal, without echo; otherwise reads the first line of standard input. Warns of a weak one. */
export async function askNewPassword(
  db: Reader,
  fixed: FixedSettings,
  { username, role }: Pick<User, "username" | "role">,
): Promise<NewPassword> {
  const isStrong = needsStrongPassword(role, await readSettings(db, fixed));
  const prompt = openPrompt({ isSecret: true });
  try {
    const input = await prompt.ask(isStrong ? "Password (at least 8 characters): " : "Password: ");
    const { password } = validate(newPasswordSchema, { password: input });
    const warning = await checkNewPassword(db, fixed, { username, password, role });
    if (isTerminal() && (await prompt.ask("The same password again: ")) !== password) {
      throw invalid("The two passwords are different.");
    }
    if (warning !== null) console.error(warning);
    return { hash: await hashPassword(password), warning };
  } finally {
    prompt.close();
  }
}
