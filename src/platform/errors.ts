/**
 * Every way in which a request can fail. Adapters translate their errors into these; a client never sees any others.
 */
const statuses = {
  invalid: 400,
  readOnly: 400,
  quota: 400,
  unauthorized: 401,
  factor_required: 401,
  forbidden: 403,
  factor_setup_required: 403,
  missing: 404,
  disallowed: 405,
  conflict: 409,
  outdated: 412,
  oversized: 413,
  unsupported: 415,
  unsatisfiable: 416,
  limited: 429,
  damaged: 460,
  unavailable: 500,
  broken: 500,
  unimplemented: 501,
  busy: 503,
  full: 507,
} as const;

export type Failure = keyof typeof statuses;

type MoreOfProblem = { field?: string; headers?: Record<string, string>; details?: Record<string, unknown> };

export class Problem extends Error {
  readonly code: Failure;
  readonly field: string | undefined;
  readonly headers: Record<string, string> | undefined;
  /** Further fields of the response. */
  readonly details: Record<string, unknown> | undefined;

  /** `message` is a sentence that tells a person what to do; it is sent to the client unchanged. */
  constructor(code: Failure, message: string, more: MoreOfProblem = {}) {
    super(message);
    this.code = code;
    this.field = more.field;
    this.headers = more.headers;
    this.details = more.details;
  }

  get status(): number {
    return statuses[this.code];
  }
}

/** The status of a problem on an endpoint of the base specification, whose table has neither 503 nor 507. */
export const baseStatus = ({ code, status }: Problem): number => (code === "busy" || code === "full" ? 500 : status);

export const invalid = (message: string, field?: string) => new Problem("invalid", message, field ? { field } : {});
export const missing = (what: string) => new Problem("missing", `There is no ${what}.`);
export const unauthorized = (message: string) =>
  new Problem("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
export const busy = (message: string) => new Problem("busy", message, { headers: { "Retry-After": "5" } });
export const notOwner = () => new Problem("forbidden", "Only the owner or an admin can do this.");
export const forbidden = (message: string) => new Problem("forbidden", message);
