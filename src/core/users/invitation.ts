import { z } from "zod";
import { Problem } from "../../platform/errors.ts";
import { line } from "../../platform/http/validate.ts";
import { roles } from "./user.ts";

const day = 86_400_000;
export const usualLifetime = 7 * day;

const role = z.enum(roles).meta({ description: "The role of the new account.", example: "author" });

export const newInvitationSchema = z
  .object({
    role,
    note: line(200).optional().meta({ description: "Who it is for. Only admins can see it.", example: "For Grace" }),
    email: line(254).optional().meta({
      description: "Where to send the link, if the server sends mail: one address. Only admins can see it.",
      example: "grace@example.org",
    }),
    expiresAt: z.iso.datetime({ offset: true }).nullable().optional().meta({
      description: "When the link stops working; left out: in 7 days. Null: never.",
      example: "2099-06-30T12:00:00.000Z",
    }),
  })
  .meta({ id: "NewInvitation" });

export const invitationSchema = z
  .object({
    id: z.int(),
    role,
    note: z.string().meta({ example: "For Grace" }),
    email: z.string().nullable().meta({ description: "Where the link was sent.", example: null }),
    createdBy: z.object({ id: z.int(), username: z.string().meta({ example: "ada" }) }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Invitation", description: "A link with which one person can sign up." });

export type Invitation = z.output<typeof invitationSchema>;

export const createdInvitationSchema = invitationSchema
  .extend({
    token: z.string().meta({ description: "Shown only now. Send it as `invitation` with `POST /signup`." }),
    url: z.string().meta({
      description: "The page on which to sign up with it; a path if `BASE_URL` is not set.",
      example: "https://example.com/signup?invitation=…",
    }),
  })
  .meta({ id: "CreatedInvitation" });

/** The same for every reason, so that nothing can be learned from it. */
export const invalidInvitation = () =>
  new Problem("forbidden", "This invitation is not valid: it was used or revoked, or it has expired.", {
    field: "invitation",
  });
