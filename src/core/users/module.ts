import { createAccountMails } from "../account-mail/mails.ts";
import { countedFields } from "../holdings/summary.ts";
import { erasersOf, kindsOf, type Module, schemaOf } from "../../module.ts";
import { userTables } from "./tables.ts";
import { removeKeysOf } from "../../platform/http/idempotency-store.ts";
import { removeOldAddresses } from "./familiar-addresses.ts";
import { fixedSettings, readSettings } from "../settings/store.ts";
import { factorRoutes } from "./factor-routes.ts";
import { finishRemovals } from "./finish-removal.ts";
import { createInvitationMail } from "./invitation-mail.ts";
import { invitationRoutes } from "./invitation-routes.ts";
import { removeExpiredInvitations } from "./invitations.ts";
import { ownRemovalRoutes } from "./own-removal.ts";
import { passkeyRoutes } from "./passkey-routes.ts";
import { passkeySignInRoutes } from "./passkey-sign-in-routes.ts";
import { peopleRoutes } from "./people-routes.ts";
import { createRemovals } from "./removals.ts";
import { userRoutes } from "./routes.ts";
import { removeExpiredSessions } from "./sessions.ts";

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
      routes: [
        ...userRoutes(db, secret, { guesses, fixed, mails }),
        ...factorRoutes({ db, secret, guesses, factorGuesses, mails, readSiteName }),
        ...passkeySignInRoutes({ db, secret, log, factorGuesses, mails }),
        ...passkeyRoutes({ db, secret, log, mails, readSiteName }),
        ...ownRemovalRoutes(db, guesses, removals.start),
        ...peopleRoutes(db, holdings, { fields: countedFields(kinds), mails, finishRemovals: removals.start }),
        ...invitationRoutes(db, config.baseURL, config.mail && createInvitationMail(config.baseURL, guesses)),
      ],
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
