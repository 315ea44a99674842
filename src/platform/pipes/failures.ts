import { DamagedEntry, UnusableEntry } from "../archives/tree.ts";
import { invalid, Problem } from "../errors.ts";

/** Another server cannot be read: what was imported stays, and the import can go on later. */
export class ServerGone extends Problem {
  /** Whether another key may help. */
  readonly isKeyRefused: boolean;

  constructor(message: string, isKeyRefused: boolean) {
    super("unavailable", message);
    this.isKeyRefused = isKeyRefused;
  }
}

/** Why a source, or only a file of it (`unusable`, `damaged`), cannot be read, as one process tells it another. */
export type Failure = {
  code: "invalid" | "unavailable" | "keyRefused" | "broken" | "unusable" | "damaged" | "storage";
  reason: string;
  field?: string;
};

/** `other` is the code of what is nobody's mistake. */
export function toFailure(error: unknown, other: Failure["code"]): Failure {
  const reason = (error as Error).message;
  if (error instanceof ServerGone) return { code: error.isKeyRefused ? "keyRefused" : "unavailable", reason };
  if (error instanceof UnusableEntry) return { code: error instanceof DamagedEntry ? "damaged" : "unusable", reason };
  if (!(error instanceof Problem && error.code === "invalid")) return { code: other, reason };
  return { code: "invalid", reason, ...(error.field && { field: error.field }) };
}

export function toError({ code, reason, field }: Failure): Error {
  if (code === "unavailable" || code === "keyRefused") return new ServerGone(reason, code === "keyRefused");
  if (code === "damaged") return new DamagedEntry(reason);
  if (code === "unusable") return new UnusableEntry(reason);
  return code === "invalid" ? invalid(reason, field) : new Problem(code === "storage" ? "unavailable" : code, reason);
}
