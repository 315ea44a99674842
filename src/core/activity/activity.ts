import { z } from "zod";
import { queryInteger } from "../../platform/http/validate.ts";

const actions = [
  "created",
  "changed",
  "trashed",
  "restored",
  "deleted",
  "imported",
  "published",
  "signedUp",
  "roleChanged",
  "passwordChanged",
  "factorAdded",
  "factorRemoved",
  "factorsReset",
  "recoveryCodeUsed",
  "signedOut",
  "removed",
] as const;
export type Action = (typeof actions)[number];

export const activitySchema = z
  .object({
    id: z.int(),
    action: z.enum(actions),
    kind: z.string().meta({ example: "photo" }),
    recordID: z.int(),
    name: z
      .string()
      .nullable()
      .meta({ example: "Harbour at dusk", description: "The name at that time; null if you may not see the record." }),
    isPage: z.boolean().meta({ description: "Whether it is a page: a post outside the blog." }),
    image: z.string().nullable().meta({
      description: "The address of a small picture of the record as it is now; null if there is none.",
      example: "/api/v1/photos/1/image?w=320",
    }),
    ownerID: z.int().nullable().meta({ example: 1, description: "The owner of the record at that time." }),
    actor: z
      .object({ id: z.int(), username: z.string().nullable().meta({ example: "ada" }) })
      .nullable()
      .meta({
        description:
          "Who did it. `username` is null if the account was removed; `actor` is null if the server or its command line did it.",
      }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Activity", description: "One change of one record." });

export type Activity = z.output<typeof activitySchema>;

const integer = queryInteger(Number.MAX_SAFE_INTEGER).optional();
const time = z.iso.datetime({ offset: true, error: "must be a time like 2026-06-12T00:00:00Z" }).optional();

export const activityQuery = z.object({
  kind: z
    .string()
    .regex(/^[a-z]{1,30}$/i, { error: "must be the name of a kind, such as photo" })
    .optional()
    .meta({ description: "Only records of this kind.", example: "photo" }),
  recordID: integer.meta({ description: "Only the record with this id.", example: 1 }),
  actor: integer.meta({ description: "Only what the user with this id did.", example: 1 }),
  from: time.meta({ description: "Only from this time on.", example: "2026-01-01T00:00:00Z" }),
  to: time.meta({ description: "Only before this time.", example: "2027-01-01T00:00:00Z" }),
});
export type ActivityQuery = z.output<typeof activityQuery>;
