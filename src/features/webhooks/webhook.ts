import { z } from "zod";
import { invalid } from "../../platform/errors.ts";
import { changes, line } from "../../platform/http/validate.ts";
import { keyedHash } from "../../platform/secrets.ts";

const url = line(2000).meta({ example: "https://example.org/hooks/vitrine", description: "An http or https URL." });
const events = z
  .array(
    z.string().regex(/^(\*|(\*|[a-zA-Z]{1,30})\.(\*|[a-zA-Z]{1,30}))$/, {
      error: 'must be an event such as "photo.created", or a pattern such as "photo.*", "*.created" or "*"',
    }),
  )
  .min(1)
  .max(50)
  .meta({
    example: ["photo.*", "post.created"],
    description: "Which events are sent: `kind.action`, with `*` for every kind or action.",
  });
const isActive = z.boolean().meta({ description: "Events are only sent while the webhook is active." });

export const webhookSchema = z
  .object({
    id: z.int(),
    url: z.string().meta({ example: "https://example.org/hooks/vitrine" }),
    events: z.array(z.string()).meta({ example: ["photo.*", "post.created"] }),
    isActive: z.boolean(),
    inactiveReason: z
      .string()
      .nullable()
      .meta({ example: null, description: "Why the server has deactivated it; null if it has not." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof webhookSchema>;

export const createdWebhookSchema = webhookSchema
  .extend({
    secret: z.string().meta({
      example: "whsec_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      description: "Signs the deliveries. It is shown only once.",
    }),
  })
  .meta({ id: "CreatedWebhook" });

export const newWebhookSchema = z
  .object({ url, events: events.default(["*"]), isActive: isActive.default(true) })
  .meta({ id: "NewWebhook" });
export type NewWebhook = z.output<typeof newWebhookSchema>;

export const webhookChangesSchema = changes({ url, events, isActive }).meta({ id: "WebhookChanges" });
export type WebhookChanges = z.output<typeof webhookChangesSchema>;

export const deliverySchema = z
  .object({
    id: z.int(),
    webhookID: z.int(),
    event: z.string().meta({ example: "photo.created" }),
    payload: z.string().meta({ description: "The body that is sent." }),
    state: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int(),
    status: z.int().nullable().meta({ example: 200, description: "The status of the last response." }),
    error: z.string().nullable().meta({ example: null, description: "Why the last attempt failed." }),
    response: z.string().nullable().meta({ example: "OK", description: "The beginning of the last response." }),
    attemptedAt: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable().meta({ description: "Null if it is not sent again." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "WebhookDelivery" });
export type Delivery = z.output<typeof deliverySchema>;

/** Throws if the text is not a URL to which webhooks can be sent. */
export function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid('"url" must be an http or https URL.', "url");
  if (url.username || url.password) throw invalid('"url" must not contain a username or a password.', "url");
  url.hash = "";
  return url;
}

export function matchesEvent(patterns: readonly string[], kind: string, action: string): boolean {
  return patterns.some((pattern) => {
    const [wantedKind, wantedAction = "*"] = pattern.split(".");
    return (wantedKind === "*" || wantedKind === kind) && (wantedAction === "*" || wantedAction === action);
  });
}

/** The secret of a webhook follows from its salt and the secret of the server, so the database does not contain it. */
export function deriveSecret(serverSecret: string, salt: string): string {
  return `whsec_${keyedHash(serverSecret, `webhook:${salt}`)}`;
}

/** `time` is in seconds. It is signed, so that a receiver can refuse old deliveries. */
export function sign(secret: string, time: number, body: string): string {
  return `t=${time},v1=${keyedHash(secret, `${time}.${body}`, "hex")}`;
}
