import { type Failure, Problem } from "../../platform/errors.ts";
import { element, xmlHead } from "./xml-writer.ts";

/** Why a request is refused, in the words of RFC 4918. */
export class Refusal extends Error {
  readonly status: number;
  /** The condition that was not met: the name of an element in the namespace `DAV:`. */
  readonly condition: string | null;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    { condition = null, headers = {} }: { condition?: string | null; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.condition = condition;
    this.headers = headers;
  }
}

/** Where WebDAV has another status than the API. */
const statuses: Partial<Record<Failure, number>> = { quota: 507, unavailable: 503 };

export function toRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Problem)) return null;
  const { code, message, headers = {}, status } = error;
  const condition = code === "quota" ? "quota-not-exceeded" : null;
  return new Refusal(statuses[code] ?? status, message, { condition, headers });
}

/** A sentence, or the name of the condition for programs. */
export function refuse({ status, message, condition, headers }: Refusal): Response {
  if (condition === null)
    return new Response(`${message}\n`, {
      status,
      headers: { "Content-Type": "text/plain; charset=utf-8", ...headers },
    });
  const body = `${xmlHead}${element("error", element(condition, ""), { isRoot: true })}`;
  return new Response(body, { status, headers: { "Content-Type": "application/xml; charset=utf-8", ...headers } });
}

export const missingHere = () => new Refusal(404, "There is nothing at this address.");
export const locked = () =>
  new Refusal(423, "This is locked: send the token of the lock.", { condition: "lock-token-submitted" });
