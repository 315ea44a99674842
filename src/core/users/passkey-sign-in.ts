import { noPasswordHash } from "../../platform/auth/passwords.ts";
import { Problem } from "../../platform/errors.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Log } from "../../platform/log.ts";
import { findTicketUser } from "../factors/tickets.ts";
import { createPasskeyCheck } from "../passkeys/check.ts";
import type { PasskeyResponse, RequestOptions } from "../passkeys/passkey.ts";
import { createOpenSession, type SignedIn } from "./open-session.ts";
import { createSecondStep, type SecondStepDeps } from "./second-step.ts";
import { lifetimes } from "./session.ts";
import { findUser } from "./store.ts";

type PasskeySignIn = {
  createOptions(exchange: Exchange, ticket: string | undefined): Promise<RequestOptions>;
  signIn(sent: PasskeyResponse, exchange: Exchange, lifetime?: number): Promise<SignedIn>;
};

/**
 * Signing in with a passkey: alone, without a name or a password, because it is two factors in one, the device and its owner;
 * or with the ticket of a password that was right, as the second step.
 */
export function createPasskeySignIn(deps: SecondStepDeps & { log: Log }): PasskeySignIn {
  const { db, secret } = deps;
  const passkeys = createPasskeyCheck(deps);
  const openSession = createOpenSession(db, secret);
  const { complete } = createSecondStep(deps);

  async function useOf(ticket: string | undefined) {
    if (ticket === undefined) return null;
    const userID = await findTicketUser(db, ticket);
    if (userID === null) throw new Problem("unauthorized", "The sign-in took too long. Sign in again.");
    return { userID, bond: ticket };
  }

  return {
    createOptions: async (exchange, ticket) => passkeys.createOptions(exchange, await useOf(ticket)),

    async signIn({ response, ticket }, exchange, lifetime = lifetimes.token) {
      const { userID, note } = await passkeys.check(response, exchange, await useOf(ticket));
      if (ticket !== undefined) {
        return complete({ ticket, sender: exchange, lifetime }, async (tx) => {
          await note(tx);
          return true;
        });
      }
      const account = await findUser(db, userID);
      // Somebody who is being removed cannot sign in.
      const canSignIn = account !== null && account.passwordHash !== noPasswordHash;
      const opened = canSignIn && (await openSession({ account, sender: exchange, lifetime, also: note }));
      if (!opened) throw new Problem("unauthorized", "The passkey was not accepted. Try again.");
      return opened;
    },
  };
}
