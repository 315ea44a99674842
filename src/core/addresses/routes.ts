import { z } from "zod";
import { checkPassword } from "../../platform/auth/passwords.ts";
import type { Database } from "../../platform/database/database.ts";
import { invalid, Problem, unauthorized } from "../../platform/errors.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { changes, line, text } from "../../platform/http/validate.ts";
import type { RateLimit } from "../../platform/limits/rate-limit.ts";
import { parseAddress } from "../../platform/mail/address.ts";
import { mailIsOff, tooManyMails } from "../mail/problems.ts";
import { limitGuesses } from "../users/guesses.ts";
import { findUser } from "../users/store.ts";
import { acceptConfirmation } from "./confirm.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { confirmationLifetime, readAddress, removeAddress, setNotices, setPending } from "../account-mail/store.ts";
import { type TopicChosen, topics } from "../account-mail/topics.ts";

const tag = "Accounts";
const path = "/api/v1/me/mail";
const scope = "session";

const noticesSchema = z
  .object({
    comments: z.boolean().meta({ description: "Somebody commented on something of yours; at most one mail an hour." }),
    uploads: z.boolean().meta({ description: "A guest sent pictures by a share link of yours." }),
    digest: z.boolean().meta({ description: "Once a week what needs your attention, if there is anything." }),
  })
  .meta({ id: "MailNotices" });

const ownMailSchema = z
  .object({
    isConfigured: z.boolean().meta({ description: "Whether this server sends mail at all." }),
    address: z.string().nullable().meta({
      description: "Your address, which you have confirmed. Nobody else sees it.",
      example: "ada@example.org",
    }),
    pendingAddress: z.string().nullable().meta({
      description: "An address that you have yet to confirm, by the link that was sent to it.",
      example: null,
    }),
    notices: noticesSchema,
  })
  .meta({ id: "OwnMail" });

const addressChangeSchema = z
  .object({
    address: line(254)
      .nullable()
      .meta({ description: "One mail address; null to remove yours.", example: "ada@example.org" }),
    password: text(256).meta({ format: "password", example: "correct horse battery" }),
  })
  .meta({ id: "AddressChange" });

const confirmationSchema = z
  .object({ token: text(100).meta({ description: "That of the link in the mail." }) })
  .meta({ id: "AddressConfirmation" });

type Uses = { mails: AccountMails; guesses: RateLimit; topicChosen: TopicChosen };

export function addressRoutes(db: Database, { mails, guesses, topicChosen }: Uses): Route[] {
  const present = async (userID: number) => {
    const { address, pendingAddress, notices } = await readAddress(db, userID);
    const chosen = Object.fromEntries(topics.map((topic) => [topic, notices.includes(topic)]));
    return {
      isConfigured: mails.isOn,
      address,
      pendingAddress,
      notices: chosen as z.output<typeof noticesSchema>,
    };
  };
  return [
    route({
      method: "GET",
      path,
      name: "readOwnMail",
      tag,
      summary: "Read your mail address, and what is sent to it",
      role: "reader",
      scope,
      response: ownMailSchema,
      handle: ({ caller }) => present(caller.id),
    }),

    route({
      method: "PUT",
      path: `${path}/address`,
      name: "changeOwnAddress",
      tag,
      summary: "Change your mail address",
      details:
        "A link is sent to the new address. The address is yours once you have followed it, within a day; until then, the earlier one stays. The earlier one then gets a notice.",
      role: "reader",
      scope,
      body: addressChangeSchema,
      response: ownMailSchema,
      statuses: { 409: "This server sends no mail", 429: "Too many wrong passwords, or too many mails" },
      async handle({ caller, body }) {
        const address = body.address === null ? null : parseAddress(body.address);
        if (body.address !== null && address === null) throw invalid(`"address" must be one mail address.`, "address");
        const account = await findUser(db, caller.id);
        if (!account) throw unauthorized("This account no longer exists.");
        const isCorrect = await limitGuesses(guesses, `session:${caller.tokenID}`, () =>
          checkPassword(body.password, account.passwordHash),
        );
        if (!isCorrect) throw invalid(`"password" is not your password.`, "password");
        if (address === null) {
          await db.transaction((tx) => removeAddress(tx, caller.id));
          return present(caller.id);
        }
        if (!mails.isOn) throw mailIsOff();
        // A person could have mail sent to addresses of others.
        const verdict = await guesses.take(`address:${caller.id}`);
        if (!verdict.allowed) throw tooManyMails(verdict.retryAfterMs);
        await db.transaction(async (tx) => {
          const token = await setPending(tx, caller.id, address);
          const occasion = {
            name: "confirm" as const,
            words: [caller.username],
            path: `/account/address?token=${token}`,
          };
          await mails.send(tx, address, occasion, { expiresAt: Date.now() + confirmationLifetime });
        });
        return present(caller.id);
      },
    }),

    route({
      method: "PUT",
      path: `${path}/notices`,
      name: "changeNotices",
      tag,
      summary: "Choose what you are told by mail",
      details: "Nothing is, unless you choose it, except what concerns the safety of your account.",
      role: "reader",
      scope,
      body: changes(noticesSchema.shape).meta({ id: "NoticeChanges" }),
      response: ownMailSchema,
      async handle({ caller, body }) {
        await db.transaction(async (tx) => {
          const { notices } = await readAddress(tx, caller.id);
          const wanted = topics.filter((topic) => body[topic] ?? notices.includes(topic));
          await setNotices(tx, { userID: caller.id, notices, wanted }, topicChosen);
        });
        return present(caller.id);
      },
    }),

    route({
      method: "POST",
      path: "/api/v1/address-confirmations",
      name: "confirmAddress",
      tag,
      summary: "Confirm a mail address",
      body: confirmationSchema,
      noIdempotency: "token",
      response: messageSchema,
      statuses: { 403: "The link is not valid" },
      async handle({ body }) {
        if (!(await acceptConfirmation(db, mails, body.token)))
          throw new Problem("forbidden", "This link is not valid: it was used, or it has expired.", { field: "token" });
        return { message: "The address is confirmed." };
      },
    }),
  ];
}
