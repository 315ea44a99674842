import { VitrineError } from "../../../../client/src/index.ts";
import { explain } from "../lib/explain.ts";

/** What is wrong, and the field that it is about if there is one. */
export type Problem = { text: string; field: string | null };

export const toProblem = (error: unknown): Problem => ({
  text: explain(error),
  field: error instanceof VitrineError ? (error.field ?? null) : null,
});
