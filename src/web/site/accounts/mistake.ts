import { Problem } from "../../../platform/errors.ts";
import type { Credentials } from "../../../core/users/sign-in.ts";
import { credentialsSchema } from "../../../core/users/user.ts";
import type { AccountTexts } from "../texts/accounts.ts";

/** Why a form is shown again. Without a field, it is about the whole form. */
export type Mistake = {
  field?: string | undefined;
  text: string;
  status: number;
  headers?: Record<string, string> | undefined;
};

/** What is wrong with the name or the password of a new account; null if nothing is. */
export function findMistake(sent: Credentials, t: AccountTexts): Mistake | null {
  const checked = credentialsSchema.safeParse(sent);
  if (checked.success) return null;
  const [issue] = checked.error.issues;
  return issue?.path[0] === "password"
    ? { field: "password", text: t.wrongPassword, status: 400 }
    : { field: "username", text: t.wrongUsername, status: 400 };
}

/** What a problem means for the form. Throws what a form cannot explain. */
export function toMistake(error: unknown, t: AccountTexts): Mistake {
  if (!(error instanceof Problem)) throw error;
  const { code, status, headers } = error;
  if (code === "unauthorized") return { text: t.wrong, status };
  if (code === "limited") return { text: t.wait(Number(headers?.["Retry-After"] ?? 1)), status, headers };
  if (error.field === "username") return { field: "username", text: t.taken, status };
  if (error.field === "password") return { field: "password", text: t.easyPassword, status };
  throw error;
}
