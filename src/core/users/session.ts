import { z } from "zod";

const day = 86_400_000;
/** How long a session lasts, in milliseconds: that of a token of the API, and that of a browser. */
export const lifetimes = { token: day, browser: 30 * day };

/** Whether a token, whose times are in seconds, was made for the cookie of a browser: no other lasts longer than a day. */
export const isForBrowser = ({ iat, exp }: { iat: number; exp: number }): boolean => exp - iat > lifetimes.token / 1000;

export const sessionSchema = z
  .object({
    id: z.int(),
    createdAt: z.iso.datetime().meta({ description: "When you signed in." }),
    lastSeenAt: z.iso.datetime().meta({ description: "When it was last used, to within an hour." }),
    expiresAt: z.iso.datetime(),
    client: z.string().nullable().meta({
      description: "The browser and system, or the program, with which you signed in, if it is known.",
      example: "Firefox on Android",
    }),
    address: z.string().nullable().meta({
      description: "The address from which you signed in, if it is known. Only you can see it.",
      example: "203.0.113.7",
    }),
    isCurrent: z.boolean().meta({ description: "Whether this request was sent in this session.", example: true }),
  })
  .meta({ id: "SessionEntry", description: "One sign-in: a token, or the session of a browser." });

export type Session = z.output<typeof sessionSchema>;
