import { late } from "../../platform/once.ts";
import type { Assertion, NewCredential } from "./passkey.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { StoredPasskey } from "./store.ts";

/** EdDSA, ES256 and RS256: every authenticator has one of them. */
export const algorithms = [-8, -7, -257];

/** Loaded with the first response, because it is large, and most processes of the server never need it. */
const load = late(() => import("@simplewebauthn/server"));
const loadHelpers = late(() => import("@simplewebauthn/server/helpers"));

type Expected = { party: RelyingParty; isChallenge: (challenge: string) => boolean };

type VerifiedPasskey = {
  credentialID: string;
  publicKey: string;
  counter: number;
  aaguid: string;
  isSynced: boolean;
};

/** The passkey that a browser has made. Throws if its response is not what was asked for. */
export async function verifyNew(response: NewCredential, { party, isChallenge }: Expected): Promise<VerifiedPasskey> {
  await refuseCertificates(response.response.attestationObject);
  const { verifyRegistrationResponse } = await load();
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: { ...response.response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge: isChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  });
  if (!verified.verified) throw new Error("The response is not valid.");
  const { credential, aaguid, credentialDeviceType } = verified.registrationInfo;
  return {
    credentialID: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    aaguid,
    isSynced: credentialDeviceType === "multiDevice",
  };
}

/**
 * We ask for no certificate of the device, so that browsers send none. To check one, the library would load lists of revoked
 * certificates from addresses that stand in it.
 */
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await loadHelpers();
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
  const format: string = attestation.get("fmt");
  if (format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined)) return;
  throw new Error(`The response has an attestation that was not asked for: ${format.slice(0, 40)}.`);
}

type ExpectedAssertion = Expected & { passkey: StoredPasskey; needsVerification: boolean };

/** The counter of the passkey. Throws if the response was not made with it, for this site and with this challenge. */
export async function verifyAssertion(response: Assertion, expected: ExpectedAssertion): Promise<number> {
  const { party, isChallenge, passkey, needsVerification } = expected;
  const { verifyAuthenticationResponse } = await load();
  const { userHandle: _, ...signed } = response.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, response: signed, clientExtensionResults: {} },
    expectedChallenge: isChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: needsVerification,
    credential: {
      id: passkey.credentialID,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      // The caller compares it.
      counter: 0,
    },
  });
  if (!verified) throw new Error("The signature is wrong.");
  return authenticationInfo.newCounter;
}
