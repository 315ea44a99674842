import type { Metrics } from "../metrics/metrics.ts";
import type { Exchange } from "./exchange.ts";
import { type Limits, takeForLength } from "./limit.ts";
import type { Presented } from "./present.ts";
import { isPrivate, type Privacy } from "./privacy.ts";
import type { Route } from "./route.ts";
import type { Sending } from "./send.ts";

type Deps = { sending: Sending; limits: Limits; metrics: Metrics };

/** The step `response`: what this client gets of what the handler has returned. */
export function createRespond({ sending, limits, metrics }: Deps) {
  return (exchange: Exchange, route: Route, { answer, isPublic }: Presented, privacy: Privacy) => {
    const isForCaller = isPrivate(privacy, isPublic);
    if (answer instanceof Response) {
      if (route.limit === "media") countContent(exchange, answer);
      return sending.complete(exchange, answer, isForCaller);
    }
    if (route.limit === "pages") takeForLength(limits, exchange, "pages", answer.plain.body.length);
    return sending.send(exchange, answer, isForCaller);
  };

  function countContent({ request }: Exchange, response: Response): void {
    if (response.ok && request.method !== "HEAD") {
      metrics.contentSent.value += Number(response.headers.get("content-length"));
    }
  }
}
