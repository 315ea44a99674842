import { invalid } from "../platform/errors.ts";
import { validate } from "../platform/http/validate.ts";
import { isTerminal, openPrompt } from "../platform/prompt.ts";
import type { Reader } from "../platform/database/database.ts";
import { checkNewPassword } from "../core/users/new-password.ts";
import { newPasswordSchema } from "../core/users/user.ts";

/** Asks twice on a terminal, without echo; otherwise reads the first line of standard input. */
export async function askNewPassword(db: Reader, username: string): Promise<string> {
  const prompt = openPrompt({ isSecret: true });
  try {
    const input = await prompt.ask("Password (at least 8 characters): ");
    const { password } = validate(newPasswordSchema, { password: input });
    await checkNewPassword(db, { username, password });
    if (isTerminal() && (await prompt.ask("The same password again: ")) !== password) {
      throw invalid("The two passwords are different.");
    }
    return password;
  } finally {
    prompt.close();
  }
}
