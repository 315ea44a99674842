import { Problem } from "../../../platform/errors.ts";
import { isTooShort } from "../../../core/users/new-password.ts";
import type { Credentials } from "../../../core/users/sign-in.ts";
import { credentialsSchema, newPasswordSchema } from "../../../core/users/user.ts";
import type { AccountTexts } from "../texts/accounts.ts";

/** Why a form is shown again. Without a field, it is about the whole form. */
export type Mistake = {
  field?: string | undefined;
  text: string;
  status: number;
  headers?: Record<string, string> | undefined;
};

/** What is wrong with the name or the password of a new account; null if nothing is. */
export function findMistake(sent: Credentials, t: AccountTexts, isStrong: boolean): Mistake | null {
  const issue = credentialsSchema.safeParse(sent).error?.issues[0];
  if (issue && issue.path[0] !== "password") return { field: "username", text: t.wrongUsername, status: 400 };
  const text = findPasswordMistake(sent.password, t, isStrong);
  return text === null ? null : { field: "password", text, status: 400 };
}

/** `isStrong`: whether it has to be. Whether others would guess it is found out when it is set. */
export function findPasswordMistake(password: string, t: AccountTexts, isStrong: boolean): string | null {
  if (newPasswordSchema.safeParse({ password }).success && !(isStrong && isTooShort(password))) return null;
  return isStrong ? t.wrongStrongPassword : t.wrongPassword;
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
