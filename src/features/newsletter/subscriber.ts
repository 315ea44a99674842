import { z } from "zod";
import { line, text } from "../../platform/http/validate.ts";

const states = ["pending", "confirmed", "unsubscribed", "bouncing"] as const;
export type State = (typeof states)[number];

export const longestName = 100;

const state = z.enum(states).meta({
  description:
    "`pending`: has not confirmed yet. `confirmed`: gets new posts. `unsubscribed`: does not want them any more. `bouncing`: the mail server of the address has refused a mail for good.",
  example: "confirmed",
});

export const subscriberSchema = z
  .object({
    id: z.int(),
    email: z.string().meta({ example: "ada@example.org" }),
    name: z.string().nullable().meta({ example: "Ada" }),
    state,
    bounce: z.string().nullable().meta({
      description: "What the mail server of the address has said, if it is bouncing.",
      example: null,
    }),
    confirmedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable().meta({ description: "Since when it gets nothing any more.", example: null }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Subscriber", description: "Somebody who gets new posts by e-mail, or did." });
export type Subscriber = z.output<typeof subscriberSchema>;

export const subscribersQuery = z.object({
  state: state.optional().meta({ description: "Only those in this state." }),
  q: text(200)
    .min(1)
    .optional()
    .meta({ description: "Only those whose address or name contains this.", example: "ada" }),
});
export type SubscribersQuery = z.output<typeof subscribersQuery>;

export const subscriberChangesSchema = z
  .object({
    state: z.enum(["confirmed", "unsubscribed"]).meta({
      description:
        "`confirmed` gives an address that was bouncing another try. `unsubscribed`: it gets nothing any more. Whoever has unsubscribed can only subscribe again.",
      example: "confirmed",
    }),
  })
  .meta({ id: "SubscriberChanges" });

export const subscriptionSchema = z
  .object({
    email: z.string().max(1000).meta({ example: "ada@example.org", description: "One address." }),
    name: line(longestName).nullable().optional().meta({ example: "Ada" }),
  })
  .meta({ id: "Subscription" });

const counted = (description: string, example: number) => z.int().meta({ description, example });

export const newsletterSchema = z
  .object({
    isOn: z
      .boolean()
      .meta({ description: "Whether visitors can subscribe. It is a setting of the site.", example: true }),
    isPossible: z.boolean().meta({ description: "Whether it can be switched on: `SMTP_URL` is set.", example: true }),
    pending: counted("Subscribers who have not confirmed yet.", 2),
    confirmed: counted("Those who get new posts.", 120),
    unsubscribed: counted("Those who do not want them any more.", 7),
    bouncing: counted("Those whose addresses refuse mail.", 1),
  })
  .meta({ id: "Newsletter" });

const issueStates = ["none", "waiting", "sending", "sent", "stopped"] as const;

export const issueSchema = z
  .object({
    postID: z.int(),
    title: z.string().meta({ example: "A week in Lisbon" }),
    state: z.enum(issueStates).meta({
      description:
        "`none`: it is not sent. `waiting`: it is sent as soon as everyone can see it. `stopped`: it was private or deleted before all had got it, or somebody has stopped it.",
      example: "sent",
    }),
    sent: counted("How many mails a mail server has accepted.", 118),
    failed: counted("How many it has refused, or were given up.", 2),
    waiting: counted("How many are on their way.", 0),
    startedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "NewsletterPost", description: "A post that is sent to the subscribers. It is sent once." });
export type Issue = z.output<typeof issueSchema>;

export const importReportSchema = z
  .object({
    added: counted("Addresses that are new here.", 98),
    ended: counted("Addresses that were subscribed here, and are not in the file.", 1),
    known: counted("Addresses that were here before, and stay as they are.", 3),
    refused: counted("Lines that could not be used.", 1),
    problems: z
      .array(
        z.object({
          line: z.int().meta({ example: 4 }),
          reason: z.string().meta({ example: "This is not an address." }),
        }),
      )
      .meta({ description: "The first hundred of these lines, and why." }),
  })
  .meta({ id: "SubscriberImport" });
export type ImportReport = z.output<typeof importReportSchema>;
