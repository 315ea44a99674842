import type { Metrics } from "../metrics/metrics.ts";
import { complete, send } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { type Limits, takeForLength } from "./limit.ts";
import type { Presented } from "./present.ts";
import { isPrivate, type Privacy } from "./privacy.ts";
import type { Route } from "./route.ts";

type Deps = { limits: Limits; metrics: Metrics };

/** The step `response`: what this client gets of what the handler has returned. */
export function createRespond({ limits, metrics }: Deps) {
  return (exchange: Exchange, route: Route, { answer, isPublic }: Presented, privacy: Privacy) => {
    const isForCaller = isPrivate(privacy, isPublic);
    if (answer instanceof Response) {
      if (route.limit === "media") countContent(exchange, answer);
      return complete(exchange, answer, isForCaller);
    }
    if (route.limit === "pages") takeForLength(limits, exchange, "pages", answer.plain.body.length);
    return send(exchange, answer, isForCaller);
  };

  function countContent({ request }: Exchange, response: Response): void {
    if (response.ok && request.method !== "HEAD") {
      metrics.contentSent.value += Number(response.headers.get("content-length"));
    }
  }
}
