import { z } from "zod";
import { forbidden, Problem, unauthorized } from "../../platform/errors.ts";
import { late } from "../../platform/once.ts";
import { type Exchange, originOf } from "../../platform/http/exchange.ts";
import { loadAll } from "../../platform/http/late.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { limitKinds, scopes } from "../../platform/http/scopes.ts";
import type { HandleRequest } from "./call-api.ts";

const loadServing = late(() => import("./serve.ts"));

const path = "/mcp";
const tag = "Server";
const response = { contentTypes: ["application/json"], description: "A message of the Model Context Protocol" };

/**
 * The Model Context Protocol over Streamable HTTP, without sessions and streams: each request is complete in itself. The
 * code that serves it is loaded with the first request.
 */
export function mcpRoutes(operations: Route[], handle: HandleRequest): Route[] {
  return [
    route({
      method: "POST",
      path,
      name: "mcp",
      tag,
      summary: "Speak the Model Context Protocol",
      role: "reader",
      // Each tool asks for its own scope.
      scope: scopes.filter((scope) => scope !== "dav"),
      openTo: limitKinds,
      isOfProtocol: true,
      // An array, which older versions allowed for many messages at once, is refused.
      body: z.looseObject({}),
      // A tool has an argument for the key.
      noIdempotency: "read",
      response,
      async handle({ body, caller, exchange }) {
        refuseOtherOrigins(exchange);
        if (!caller.key || !isSentAsKey(exchange))
          throw unauthorized("Send an app key as Authorization: Bearer vit_…; a session is not enough here.");
        const [{ serveMessage }] = await Promise.all([loadServing(), loadAll(operations)]);
        return serveMessage(operations, handle, { caller, exchange, message: body });
      },
    }),
    ...(["GET", "DELETE"] as const).map((method) =>
      route({
        method,
        path,
        name: `mcp ${method}`,
        tag,
        summary: "Refused: there are neither streams nor sessions",
        response,
        handle() {
          throw new Problem("disallowed", `${path} accepts only POST.`, { headers: { Allow: "POST" } });
        },
      }),
    ),
  ];
}

/** A key in a cookie would be sent by any page. */
const isSentAsKey = ({ request }: Exchange) => /^Bearer +vit_/i.test(request.headers.get("authorization") ?? "");

/** Pages of other sites, also of one whose name leads to the address of this server. Programs send no Origin. */
function refuseOtherOrigins(exchange: Exchange): void {
  const origin = exchange.request.headers.get("origin");
  if (origin !== null && origin !== originOf(exchange))
    throw forbidden("This request was sent by a page of another site.");
}
