import { z } from "zod";
import { invalid } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import type { Role } from "../../platform/http/route.ts";
import { text } from "../../platform/http/validate.ts";
import { fold } from "../../platform/text.ts";

export const roles: Role[] = ["reader", "author", "admin"];

export const userSchema = z
  .object({
    id: z.int(),
    username: z.string().meta({ example: "ada" }),
    role: z.enum(roles),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "User", description: "A user account. Passwords are never returned." });

export const ownAccountSchema = userSchema
  .extend({
    needsFactor: z.boolean().optional().meta({
      example: true,
      description: "Set if you have to set up a second factor before you can do anything else.",
    }),
  })
  .meta({ id: "OwnAccount" });

export type User = z.output<typeof userSchema>;

const username = text(64)
  .min(1)
  .regex(/^[\p{L}\p{M}\p{N}._\-@+]+$/u, { error: "may contain only letters, digits and . _ - @ +" })
  .refine((name) => !/^\p{M}|\p{Default_Ignorable_Code_Point}/u.test(name), {
    error: "must not contain invisible characters or begin with an accent",
  })
  .meta({ example: "ada", description: "Letters and digits of any script, and . _ - @ +" });

/** Whether it has to be strong is decided where it is set. */
export const newPassword = text(256).min(1).meta({
  format: "password",
  example: "correct horse battery",
  description:
    "For admins, and for everyone if the setting `passwordRule` is `strong`: at least 8 characters, and not easy to guess, that is, neither very common nor with the username or the name of the site in it.",
});

/** Names with the same key are the same name. Names that only look alike have the same skeleton. */
export const usernameKey = (name: string) => fold(name.normalize("NFKC"));

export const credentialsSchema = z.object({ username, password: newPassword }).meta({ id: "Credentials" });

export const signUpSchema = credentialsSchema
  .extend({
    invitation: text(100).optional().meta({
      description: "The token of an invitation: it opens a closed sign-up, and its role is that of the account.",
    }),
  })
  .meta({ id: "SignUp", example: { username: "ada", password: "correct horse battery" } });

export const newPasswordSchema = credentialsSchema.pick({ password: true });

export const passwordChangeSchema = z
  .object({ oldPassword: text(256).meta({ format: "password", example: "correct horse battery" }), newPassword })
  .meta({ id: "PasswordChange" });

export const passwordSetSchema = messageSchema
  .extend({
    warning: z.string().optional().meta({
      description: "Set if the password was accepted and is weak: why, and what to do.",
      example: "This password is easy to guess: it has fewer than 8 characters. Change it to a few random words.",
    }),
  })
  .meta({ id: "PasswordSet" });

export const toPasswordSet = (message: string, warning: string | null): z.output<typeof passwordSetSchema> =>
  warning === null ? { message } : { message, warning };

/** Accepts any strings: sign-in only reports whether username and password match. */
export const signInSchema = z
  .object({
    username: text(256).meta({ example: "ada" }),
    password: text(256).meta({ format: "password", example: "correct horse battery" }),
  })
  .meta({ id: "SignIn" });

export const signedInSchema = z
  .object({
    token: z.string().meta({ example: "eyJhbGciOi…", description: "Send it as `Authorization: Bearer <token>`." }),
    expiresAt: z.iso.datetime(),
    user: userSchema,
  })
  .meta({ id: "SignedIn" });

export function nameTaken(name: string) {
  return invalid(`The username "${name}" is taken, or looks like one that is taken; choose another.`, "username");
}

/** What another site has shown of a person; each may be empty. */
export type GivenProfile = {
  displayName: string;
  about?: string;
  links?: { url: string; label: string | null }[];
};
