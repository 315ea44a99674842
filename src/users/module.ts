import type { Module } from "../module.ts";
import { userCommands } from "./commands.ts";
import { removeOldAddresses } from "./familiar-addresses.ts";
import { fixedSettings, readSignupRole } from "../settings/store.ts";
import { userRoutes } from "./routes.ts";
import { removeExpiredSessions } from "./sessions.ts";

const hour = 3_600_000;

export const usersModule: Module = {
  tags: { Accounts: "Signing up, signing in and signing out. Every request that changes something needs a token." },
  tables: [
    { name: "users", key: ["id"] },
    { name: "sessions", key: ["id"] },
    { name: "familiar_addresses", key: ["user_id", "address"] },
  ],
  commands: userCommands,
  open: ({ db, secret, guesses, config }) => ({
    routes: userRoutes(db, secret, guesses, () => readSignupRole(db, fixedSettings(config))),
    jobs: [
      { name: "sessions", everyMs: hour, run: () => db.transaction(removeExpiredSessions) },
      { name: "familiar addresses", everyMs: hour, run: () => db.transaction(removeOldAddresses) },
    ],
  }),
};
