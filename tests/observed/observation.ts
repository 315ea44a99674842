/** The environment variable with the directory to which tests write what they observe. */
export const observedDir = process.env.TEST_OBSERVED;

export type Engine = "sqlite" | "postgres";

/** A statement that was sent. `stack` has the places in the code that sent it, the innermost first: `src/a.ts:1:2`. */
export type Sent = {
  engine: Engine;
  method: "all" | "get" | "run" | "later";
  stack: string[];
  /** With `$1`, `$2` for the values. */
  text: string;
  values: (string | number | null)[];
  /** The columns of rows that came back, each with the type of its value. */
  shapes: Record<string, string>[];
};
