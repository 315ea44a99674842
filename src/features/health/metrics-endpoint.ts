import { unauthorized } from "../../platform/errors.ts";
import { hashOfText } from "../../platform/hash.ts";
import { textAnswer } from "../../platform/http/answer.ts";
import { type Route, route } from "../../platform/http/route.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { isSameSecret } from "../../platform/secrets.ts";
import { contentType } from "../../platform/metrics/registry.ts";

/** The metrics, for requests with the token. */
export function metricsRoute(metrics: Metrics, token: string): Route {
  // Hashes have the same length, so that the duration of a comparison does not depend on what was sent.
  const expected = hashOfText(`Bearer ${token}`);
  return route({
    method: "GET",
    path: "/metrics",
    name: "readMetrics",
    tag: "Server",
    summary: "Read the metrics",
    limit: "none",
    isPrivate: true,
    response: { contentTypes: [contentType], description: "The metrics in the text format of Prometheus" },
    handle({ exchange }) {
      const sent = hashOfText(exchange.request.headers.get("authorization") ?? "");
      if (!isSameSecret(sent, expected)) {
        throw unauthorized("Send METRICS_TOKEN as Authorization: Bearer <token>.");
      }
      return textAnswer(contentType, metrics.print());
    },
  });
}
