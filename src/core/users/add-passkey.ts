import type { Database } from "../../platform/database/database.ts";
import { invalid } from "../../platform/errors.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Caller } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { keyedHash } from "../../platform/secrets.ts";
import { challengeLifetime, createChallenges, useChallenge } from "../passkeys/challenges.ts";
import { describe } from "../passkeys/check.ts";
import type { AccountMails } from "../account-mail/mails.ts";
import { addFirstRecoveryCodes } from "../factors/recovery-codes.ts";
import { noteFactor } from "./note-factor.ts";
import { guessName } from "./known-devices.ts";
import type { AddedPasskey, CreationOptions, NewCredential } from "../passkeys/passkey.ts";
import { relyingPartyOf } from "../passkeys/relying-party.ts";
import { insertPasskey, listStored } from "../passkeys/store.ts";
import { algorithms, verifyNew } from "../passkeys/verify.ts";

/** As browsers name them; others are left out. */
const transports = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

type Deps = { db: Database; secret: string; log: Log; mails: AccountMails; readSiteName: () => Promise<string> };

/** Adds passkeys to an account. */
export function createPasskeyRegistration({ db, secret, log, mails, readSiteName }: Deps) {
  const challenges = createChallenges(secret);
  const purposeOf = ({ id, tokenID }: Caller) => `new:${id}:${tokenID}`;
  /** By which a device knows which of its passkeys belong to one account. It reveals nothing of the person. */
  const handleOf = (userID: number) => keyedHash(secret, `passkey-user:${userID}`);

  return {
    async createOptions(exchange: Exchange, caller: Caller): Promise<CreationOptions> {
      const { id } = relyingPartyOf(exchange);
      const known = await listStored(db, caller.id);
      return {
        rp: { id, name: await readSiteName() },
        user: { id: handleOf(caller.id), name: caller.username, displayName: caller.username },
        challenge: challenges.create(purposeOf(caller)),
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key" as const, alg })),
        timeout: challengeLifetime,
        attestation: "none",
        excludeCredentials: known.filter(({ site }) => site === id).map(describe),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required",
        },
      };
    },

    /** Throws if the response is not the right one. */
    async add(exchange: Exchange, caller: Caller, response: NewCredential, name?: string): Promise<AddedPasskey> {
      const party = relyingPartyOf(exchange);
      const used = { challenge: "", expiresAt: 0 };
      const isChallenge = (challenge: string): boolean => {
        const read = challenges.read(challenge, purposeOf(caller));
        Object.assign(used, { challenge, ...read });
        return read !== null;
      };
      const { aaguid, ...verified } = await verifyNew(response, { party, isChallenge }).catch((error: unknown) => {
        log.debug("a new passkey was refused", { userID: caller.id, reason: String(error) });
        throw refused();
      });
      return db.transaction(async (tx) => {
        if (!(await useChallenge(tx, used.challenge, used.expiresAt))) throw refused();
        const passkey = await insertPasskey(tx, {
          ...verified,
          userID: caller.id,
          userHandle: handleOf(caller.id),
          transports: (response.response.transports ?? []).filter((one) => transports.has(one)),
          site: party.id,
          name: name ?? guessName(aaguid, exchange.request.headers.get("user-agent")),
        });
        await noteFactor(tx, mails, caller, "factorAdded");
        return { ...passkey, recoveryCodes: await addFirstRecoveryCodes(tx, caller.id) };
      });
    },
  };
}

const refused = () =>
  invalid("The passkey could not be added: the request has expired, or the response is wrong.", "response");
