import { isOutOfDescriptors, outOfDescriptors } from "../descriptors.ts";
import { baseStatus, Problem } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { parseAccept } from "./accept.ts";
import { type Answer, textAnswer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { Sending } from "./send.ts";

const reportEveryMs = 60_000;

/** The page about a problem, in the design of the site. */
export type ErrorPage = (exchange: Exchange, problem: Problem) => Promise<Answer>;

/** The path to which an address has moved that leads nowhere else; null if it has not. */
export type FindMoved = (exchange: Exchange) => Promise<string | null>;

type Deps = {
  sending: Sending;
  api: string;
  errorPage: ErrorPage | undefined;
  findMoved: FindMoved | undefined;
  metrics: Metrics;
  log: Log;
};

/** The response to a request that has failed: JSON, or a page for browsers outside the API. */
export function createFailures({ sending, api, errorPage, findMoved, metrics, log }: Deps) {
  let reportFullAt = 0;
  let reportDescriptorsAt = 0;
  return (exchange: Exchange, error: unknown, isPrivate: boolean): Response | Promise<Response> => {
    const problem = error instanceof Problem ? error : unexpected(exchange, error);
    if (problem.cause instanceof Error) reportBackend(exchange, problem, problem.cause);
    if (problem.code === "limited") metrics.refusals.value++;
    if (findMoved && mayHaveMoved(exchange, problem))
      return findMoved(exchange).then(
        (path) => (path === null ? explain(exchange, problem, isPrivate) : sendTo(exchange, path, isPrivate)),
        () => explain(exchange, problem, isPrivate),
      );
    return explain(exchange, problem, isPrivate);
  };

  function mayHaveMoved({ path, method, grantToken }: Exchange, { code }: Problem): boolean {
    return (
      code === "missing" && (method === "GET" || method === "HEAD") && grantToken === null && !path.startsWith(api)
    );
  }

  function sendTo(exchange: Exchange, path: string, isPrivate: boolean): Response | Promise<Response> {
    return sending.send(exchange, textAnswer("text/plain", "", { Location: path }, 301), isPrivate);
  }

  function explain(exchange: Exchange, problem: Problem, isPrivate: boolean): Response | Promise<Response> {
    if (!errorPage || exchange.path.startsWith(api) || !isBrowser(exchange.request))
      return sendJSON(exchange, problem, isPrivate);
    return errorPage(exchange, problem).then(
      (page) => sending.send(exchange, page, isPrivate),
      (second: unknown) => {
        unexpected(exchange, second);
        return sendJSON(exchange, problem, isPrivate);
      },
    );
  }

  /** Storage that is full stays so: the operator needs to know of it, but not with every request. */
  function reportBackend({ id }: Exchange, { code }: Problem, { message: reason }: Error): void {
    if (code !== "full") return log.warn("a backend failed", { requestID: id, reason });
    const now = performance.now();
    if (now < reportFullAt) return;
    reportFullAt = now + reportEveryMs;
    log.error("a backend is full", { requestID: id, reason });
  }

  function sendJSON(exchange: Exchange, problem: Problem, isPrivate: boolean): Response | Promise<Response> {
    const { message, code, field, headers, details } = problem;
    const status = exchange.operation?.base ? baseStatus(problem) : problem.status;
    const text = JSON.stringify({ error: message, code, field, ...details, requestID: exchange.id });
    return sending.send(exchange, textAnswer("application/json", text, headers, status), isPrivate);
  }

  function unexpected(exchange: Exchange, error: unknown): Problem {
    if (isOutOfDescriptors(error)) return reportDescriptors(exchange, error);
    const stack = error instanceof Error ? error.stack : String(error);
    log.error("unexpected failure", { requestID: exchange.id, method: exchange.method, path: exchange.path, stack });
    return new Problem("broken", "Internal server error; look up the request ID in the server log.");
  }

  function reportDescriptors({ id }: Exchange, error: unknown): Problem {
    const now = performance.now();
    if (now >= reportDescriptorsAt) {
      reportDescriptorsAt = now + reportEveryMs;
      const reason = (error as Error).message;
      log.error("too many files and connections are open: raise the limit of descriptors", { requestID: id, reason });
    }
    return outOfDescriptors();
  }
}

/** A browser that opens a page asks for HTML by name; other programs usually accept anything. */
function isBrowser({ headers }: Request): boolean {
  return parseAccept(headers.get("accept") ?? "").some(({ type, weight }) => type === "text/html" && weight > 0);
}
