import { late } from "../../platform/once.ts";
import { createAccountMails } from "../account-mail/mails.ts";
import { countedFields } from "../holdings/summary.ts";
import { erasersOf, kindsOf, type Module, schemaOf } from "../../module.ts";
import { userTables } from "./tables.ts";
import { removeKeysOf } from "../../platform/http/idempotency-store.ts";
import { removeOldAddresses } from "./familiar-addresses.ts";
import { fixedSettings, readSettings } from "../settings/store.ts";
import { finishRemovals } from "./finish-removal.ts";
import { createInvitationMail } from "./invitation-mail.ts";
import { removeExpiredInvitations } from "./invitations.ts";
import { createRemovals } from "./removals.ts";
import { removeExpiredSessions } from "./sessions.ts";

const loadRoutes = late(() =>
  Promise.all([
    import("./routes.ts"),
    import("./factor-routes.ts"),
    import("./passkey-sign-in-routes.ts"),
    import("./passkey-routes.ts"),
    import("./own-removal.ts"),
    import("./people-routes.ts"),
    import("./invitation-routes.ts"),
  ]),
);

const hour = 3_600_000;

export const usersModule: Module = {
  tags: {
    Accounts: "Signing up, signing in and signing out. Every request that changes something needs a token.",
    People: "Who has an account, for admins.",
  },
  tables: userTables,
  eraseUser: removeKeysOf,
  open({ db, log, secret, guesses, factorGuesses, config, holdings, modules, trash, stopping }) {
    const kinds = kindsOf(modules);
    const fixed = fixedSettings(config);
    const readSiteName = async () => (await readSettings(db, fixed)).siteName;
    const uses = { schema: schemaOf(modules), trash, kinds, erasers: erasersOf(modules), stopping };
    const mails = createAccountMails(config);
    const removals = createRemovals(db, log, () => finishRemovals(db, uses));
    return {
      lateRoutes: {
        names: [
          "POST /signup",
          "POST /signin",
          "POST /signout",
          "GET /api/v1/me",
          "PUT /api/v1/me/password",
          "POST /api/v1/account/confirmation",
          "GET /api/v1/me/sessions",
          "DELETE /api/v1/me/sessions/:id",
          "DELETE /api/v1/me/sessions",
          "POST /api/v1/signin/factor",
          "GET /api/v1/account/factors",
          "POST /api/v1/account/totp",
          "POST /api/v1/account/totp/confirmation",
          "POST /api/v1/account/totp/removal",
          "POST /api/v1/account/recovery-codes",
          "POST /api/v1/signin/passkey/options",
          "POST /api/v1/signin/passkey",
          "GET /api/v1/account/passkeys",
          "POST /api/v1/account/passkeys/options",
          "POST /api/v1/account/passkeys",
          "PUT /api/v1/account/passkeys/:id",
          "DELETE /api/v1/account/passkeys/:id",
          "POST /api/v1/me/removal",
          "GET /api/v1/users",
          "GET /api/v1/users/:id",
          "PUT /api/v1/users/:id",
          "DELETE /api/v1/users/:id/sessions",
          "DELETE /api/v1/users/:id/factors",
          "DELETE /api/v1/users/:id",
          "POST /api/v1/invitations",
          "GET /api/v1/invitations",
          "DELETE /api/v1/invitations/:id",
        ],
        base: ["POST /signup", "POST /signin"],
        async load() {
          const [
            { userRoutes },
            { factorRoutes },
            { passkeySignInRoutes },
            { passkeyRoutes },
            { ownRemovalRoutes },
            { peopleRoutes },
            { invitationRoutes },
          ] = await loadRoutes();
          return [
            ...userRoutes(db, secret, { guesses, fixed, mails }),
            ...factorRoutes({ db, secret, guesses, factorGuesses, mails, readSiteName }),
            ...passkeySignInRoutes({ db, secret, log, factorGuesses, mails }),
            ...passkeyRoutes({ db, secret, log, mails, readSiteName }),
            ...ownRemovalRoutes(db, guesses, removals.start),
            ...peopleRoutes(db, holdings, { fields: countedFields(kinds), mails, finishRemovals: removals.start }),
            ...invitationRoutes(db, config.baseURL, config.mail && createInvitationMail(config.baseURL, guesses)),
          ];
        },
      },
      jobs: [
        { name: "sessions", everyMs: hour, run: () => removeExpiredSessions(db) },
        { name: "familiar addresses", everyMs: hour, run: () => removeOldAddresses(db) },
        { name: "invitations", everyMs: hour, deletesByAge: true, run: () => removeExpiredInvitations(db) },
        removals.job,
      ],
      close: removals.close,
    };
  },
};
