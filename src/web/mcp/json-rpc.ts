import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import { textAnswer } from "../../platform/http/answer.ts";
import type { MediaResult } from "../../platform/http/content.ts";

/** The codes of JSON-RPC, and two that the Model Context Protocol and its clients use. */
export const codes = {
  transport: -32_000,
  notFound: -32_002,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

/** A request that is refused in the form of the protocol. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The versions of the protocol that can be spoken without sessions and streams, the newest first. */
const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** The version of a client if it is known here, otherwise the newest: the client decides whether it goes on. */
export const chooseVersion = (wanted: string): string => (versions.includes(wanted) ? wanted : (versions[0] as string));

const jsonrpc = z.literal("2.0");
const idOf = z.union([z.string(), z.int()]);
const paramsOf = z.looseObject({ _meta: z.looseObject({ progressToken: idOf.optional() }).optional() }).optional();
const errorOf = z.looseObject({ code: z.int(), message: z.string() });
const messageOf = z.union([
  z.strictObject({ jsonrpc, id: idOf, method: z.string(), params: paramsOf }),
  z.strictObject({ jsonrpc, method: z.string(), params: paramsOf }),
  // The server asks nothing, so a response means nothing to it.
  z.strictObject({ jsonrpc, id: idOf, result: z.looseObject({}) }),
  z.strictObject({ jsonrpc, id: idOf.optional(), error: errorOf }),
]);

export type Params = z.output<typeof paramsOf>;
/** The result of a request. Throws a `Refusal` or a `Problem`. */
type RunMethod = (method: string, params: Params) => object | Promise<object>;

/** Answers the one message of an HTTP request, as Streamable HTTP asks for it. */
export async function respond({ headers }: Request, message: unknown, run: RunMethod): Promise<MediaResult> {
  // Clients must accept both, whatever they are sent.
  const accepted = headers.get("accept") ?? "";
  if (!accepted.includes("application/json") || !accepted.includes("text/event-stream"))
    return refuse(406, codes.transport, "The header Accept must have application/json and text/event-stream.");
  if (mediaTypeOf(headers) !== "application/json")
    return refuse(
      415,
      codes.transport,
      "The body must be JSON: send it with the header Content-Type: application/json.",
    );
  const read = messageOf.safeParse(message).data;
  if (!read) return refuse(400, codes.invalidRequest, "The body is not a message of JSON-RPC 2.0.");
  const version = headers.get("mcp-protocol-version");
  const isFirst = "method" in read && read.method === "initialize";
  if (version !== null && !isFirst && !versions.includes(version))
    return refuse(400, codes.transport, `The header MCP-Protocol-Version must be one of: ${versions.join(", ")}.`);
  if (!("method" in read && "id" in read)) return { status: 202, headers: {}, body: null };
  const { id, method, params } = read;
  try {
    return write(200, { id, result: await run(method, params) });
  } catch (error) {
    if (error instanceof Refusal) return write(200, { id, error: { code: error.code, message: error.message } });
    if (!(error instanceof Problem)) throw error;
    const code = error.code === "invalid" ? codes.invalidParams : codes.invalidRequest;
    return write(200, { id, error: { code, message: error.message } });
  }
}

/** An array of messages, as the version 2025-03-26 has it, and a body that is not JSON were refused before. */
const refuse = (status: number, code: number, message: string) => write(status, { id: null, error: { code, message } });

const write = (status: number, message: object): MediaResult =>
  textAnswer("application/json", JSON.stringify({ jsonrpc: "2.0", ...message }), {}, status);

const mediaTypeOf = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
