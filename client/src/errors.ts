import type { ErrorCode } from "./types.ts";

type Details = {
  status?: number;
  code?: ErrorCode;
  field?: string | null;
  requestID?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
};

/** A request that failed. An aborted one throws the reason of its signal instead. */
export class VitrineError extends Error {
  override readonly name = "VitrineError";
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The field of the input that is wrong. */
  readonly field: string | null;
  /** Identifies the request in the log of the server. */
  readonly requestID: string | null;
  /** Seconds to wait before the next attempt, if the server says so. */
  readonly retryAfter: number | null;
  /**
   * How many times the request was sent. With more than one, a 404 to a DELETE and a 412 can mean that an earlier attempt
   * was carried out and only its response was lost.
   */
  attempts = 1;

  constructor(message: string, { status = 0, code = "unknown", cause, ...details }: Details = {}) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.field = details.field ?? null;
    this.requestID = details.requestID ?? null;
    this.retryAfter = details.retryAfter ?? null;
  }
}

export async function readError(response: Response): Promise<VitrineError> {
  const { status, headers } = response;
  const body = await readBody(response);
  return new VitrineError(body.error ?? `The server responded with the status ${status}.`, {
    status,
    code: body.code ?? codes[status] ?? "unknown",
    field: body.field ?? null,
    requestID: body.requestID ?? headers.get("x-request-id"),
    retryAfter: readSeconds(headers.get("retry-after")),
  });
}

/** For responses without a body, as to HEAD. */
const codes: Record<number, ErrorCode> = {
  401: "unauthorized",
  403: "forbidden",
  404: "missing",
  409: "conflict",
  412: "outdated",
  429: "limited",
};

type ErrorBody = { error?: string; code?: ErrorCode; field?: string; requestID?: string };

async function readBody(response: Response): Promise<ErrorBody> {
  try {
    const body = (await response.json()) as ErrorBody | null;
    return typeof body?.error === "string" ? body : {};
  } catch {
    return {};
  }
}

/** Retry-After is a number of seconds or a date. */
function readSeconds(text: string | null): number | null {
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
