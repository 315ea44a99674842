import type { Database, Queries } from "../../platform/database/database.ts";
import { Problem } from "../../platform/errors.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Log } from "../../platform/log.ts";
import { challengeLifetime, createChallenges, isUsed, useChallenge } from "./challenges.ts";
import type { Assertion, RequestOptions } from "./passkey.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { findByCredential, listStored, markCopied, noteUsed, type StoredPasskey } from "./store.ts";
import { verifyAssertion } from "./verify.ts";

/** For what a passkey is used. As second factor, it must be one of this user; `bond` is what the first step has returned. */
type PasskeyUse = { userID: number; bond: string } | null;

type Checked = {
  userID: number;
  /** Stores that the response was used. Called in the transaction in which it takes effect; throws if it was used before. */
  note: (tx: Queries) => Promise<void>;
};

type PasskeyCheck = {
  createOptions(exchange: Exchange, use: PasskeyUse): Promise<RequestOptions>;
  /** Throws if the passkey is not accepted. */
  check(response: Assertion, exchange: Exchange, use: PasskeyUse): Promise<Checked>;
};

type Deps = { db: Database; secret: string; log: Log };

/** Asks for passkeys, and checks them. Alone, a passkey must also have verified its owner, by a finger, a face or a PIN. */
export function createPasskeyCheck({ db, secret, log }: Deps): PasskeyCheck {
  const challenges = createChallenges(secret);
  const purposeOf = (use: PasskeyUse) => (use === null ? "alone" : `factor:${use.userID}:${use.bond}`);

  return {
    async createOptions(exchange, use) {
      const { id: rpId } = relyingPartyOf(exchange);
      const allowed = use === null ? [] : await listStored(db, use.userID);
      return {
        challenge: challenges.create(purposeOf(use)),
        rpId,
        timeout: challengeLifetime,
        userVerification: use === null ? "required" : "preferred",
        allowCredentials: allowed.filter(({ site }) => site === rpId).map(describe),
      };
    },

    async check(response, exchange, use) {
      const party = relyingPartyOf(exchange);
      const passkey = await findByCredential(db, response.id);
      if (!passkey || (use !== null && passkey.userID !== use.userID)) throw unknown();
      const used = { challenge: "", expiresAt: 0 };
      const isChallenge = (challenge: string): boolean => {
        const read = challenges.read(challenge, purposeOf(use));
        Object.assign(used, { challenge, ...read });
        return read !== null;
      };
      const { userHandle } = response.response;
      const isOfUser = use === null ? userHandle === passkey.userHandle : handlesOf(passkey).includes(userHandle ?? "");
      if (!isOfUser) throw refused();
      const counter = await verifyAssertion(response, {
        party,
        passkey,
        isChallenge,
        needsVerification: use === null,
      }).catch((error: unknown) => {
        log.debug("a passkey was refused", { passkeyID: passkey.id, reason: String(error) });
        throw used.challenge !== "" && used.expiresAt === 0 ? tooLate() : refused();
      });
      // The passkey was read before: so a response that is sent twice is not taken for a copied passkey.
      if (await isUsed(db, used.challenge)) throw tooLate();
      if (passkey.isCopied) throw copied();
      if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
        log.warn("the counter of a passkey went back: it was copied, and is no longer accepted", {
          passkeyID: passkey.id,
          userID: passkey.userID,
          counter,
          stored: passkey.counter,
        });
        await db.transaction((tx) => markCopied(tx, passkey.id));
        throw copied();
      }
      return {
        userID: passkey.userID,
        async note(tx) {
          if (!(await useChallenge(tx, used.challenge, used.expiresAt))) throw tooLate();
          if (!(await noteUsed(tx, passkey.id, counter))) throw refused();
        },
      };
    },
  };
}

/** Keys that are no passkeys leave the handle out if they were named. */
const handlesOf = ({ userHandle }: StoredPasskey) => [userHandle, ""];

export const describe = ({ credentialID, transports }: StoredPasskey) => ({
  id: credentialID,
  type: "public-key" as const,
  transports,
});

const unknown = () =>
  new Problem("unauthorized", "This passkey is not known here. Sign in in another way, or use another passkey.");
const refused = () => new Problem("unauthorized", "The passkey was not accepted. Try again.");
const tooLate = () => new Problem("unauthorized", "This request to sign in has expired or was used. Try again.");
const copied = () =>
  new Problem(
    "unauthorized",
    "This passkey is no longer accepted, because there may be a copy of it. Sign in in another way, and remove it.",
  );
