import { invalid } from "../errors.ts";
import { validate } from "../platform/http/validate.ts";
import { isTerminal, openPrompt } from "../platform/prompt.ts";
import { newPasswordSchema } from "./user.ts";

/** From the terminal, twice and without showing it; or the first line of what is piped in. */
export async function askNewPassword(): Promise<string> {
  const prompt = openPrompt({ isSecret: true });
  try {
    const answer = await prompt.ask("Password (at least 8 characters): ");
    const { password } = validate(newPasswordSchema, { password: answer });
    if (isTerminal() && (await prompt.ask("The same password again: ")) !== password) {
      throw invalid("The two passwords are different.");
    }
    return password;
  } finally {
    prompt.close();
  }
}
