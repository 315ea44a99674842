import { VitrineError } from "../../client/src/index.ts";
import { isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { factorTexts as t } from "./texts.ts";

/** What is shown below each field after a refusal. */
export function explainRefusal(error: Error | null): { password?: string; code?: string; other?: string } {
  if (!error) return {};
  const field = error instanceof VitrineError ? error.field : null;
  if (field === "password") return { password: t.wrongPassword };
  if (field === "code") return { code: t.wrongCode };
  return { other: isStatus(error, 429) ? t.wait : explain(error) };
}
