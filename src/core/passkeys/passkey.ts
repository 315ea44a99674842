import { z } from "zod";
import { changes, line, text } from "../../platform/http/validate.ts";

/** More than a person has devices. */
export const mostPasskeys = 20;

export const passkeySchema = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: "At first, what is known of the device.", example: "iCloud Keychain" }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    isSynced: z.boolean().meta({
      description: "Whether it is also on other devices of the person, by a password manager.",
      example: true,
    }),
    site: z.string().meta({
      description: "The host name of the site for which it was made. Under another name, browsers do not offer it.",
      example: "photos.example.org",
    }),
    isCopied: z.boolean().meta({
      description:
        "Whether its counter went back, as it does if somebody has copied it. It is no longer accepted: remove it.",
      example: false,
    }),
  })
  .meta({ id: "Passkey", description: "A passkey with which you can sign in." });

export const passkeyStatuses = {
  401: "The passkey is not accepted",
  409: "Passkeys do not work at this address: they need `BASE_URL`, and HTTPS",
};

export type Passkey = z.output<typeof passkeySchema>;

export const addedPasskeySchema = passkeySchema
  .extend({
    recoveryCodes: z
      .array(z.string().meta({ example: "k7qa-2mzd-x4pe-u6wh" }))
      .nullable()
      .meta({ description: "Made with the first second factor, and shown only now. Null if you have some already." }),
  })
  .meta({ id: "AddedPasskey" });

export type AddedPasskey = z.output<typeof addedPasskeySchema>;

const name = line(100).meta({ description: "How you recognize it.", example: "My phone" });

export const passkeyChangesSchema = changes({ name }).meta({ id: "PasskeyChanges" });

const word = <Text extends string>(text: Text) => z.literal(text).meta({ example: text });

/** Bytes in base64url. */
const bytes = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[\w-]*$/, { error: "must be base64url" });

const credential = {
  id: bytes(1400).min(1),
  rawId: bytes(1400).min(1),
  type: word("public-key"),
};

const example = {
  id: "AQIDBA",
  rawId: "AQIDBA",
  type: "public-key" as const,
  response: { clientDataJSON: "e30", attestationObject: "o2Nm", transports: ["internal"] },
};

/** What `navigator.credentials.create` returns, as JSON. */
const newCredentialSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8000),
      attestationObject: bytes(16_000),
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  })
  .meta({ id: "NewCredential", example });

export const newPasskeySchema = z
  .object({
    response: newCredentialSchema.meta({
      description: "What `navigator.credentials.create` has returned, as JSON (`toJSON()`).",
    }),
    name: name.optional(),
  })
  .meta({ id: "NewPasskey" });

/** What `navigator.credentials.get` returns, as JSON. */
const assertionSchema = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(8000),
      authenticatorData: bytes(8000),
      signature: bytes(8000),
      userHandle: bytes(100).nullish(),
    }),
  })
  .meta({
    id: "PasskeyAssertion",
    description: "What `navigator.credentials.get` has returned, as JSON (`toJSON()`).",
    example: {
      id: "AQIDBA",
      rawId: "AQIDBA",
      type: "public-key",
      response: { clientDataJSON: "e30", authenticatorData: "SZYN", signature: "MEUC", userHandle: "AQID" },
    },
  });

export type NewCredential = z.output<typeof newCredentialSchema>;
export type Assertion = z.output<typeof assertionSchema>;

const descriptor = z.object({ id: z.string(), type: word("public-key"), transports: z.array(z.string()) });
const relyingParty = z.object({ id: z.string().meta({ example: "photos.example.org" }), name: z.string() });
const user = z.object({ id: z.string(), name: z.string(), displayName: z.string() });
const challenge = z.string().meta({ description: "For one use, within ten minutes.", example: "AQIDBAUGBwg" });

export const creationOptionsSchema = z
  .object({
    rp: relyingParty,
    user,
    challenge,
    pubKeyCredParams: z.array(z.object({ type: word("public-key"), alg: z.int() })),
    timeout: z.int(),
    attestation: word("none"),
    excludeCredentials: z.array(descriptor).meta({ description: "The passkeys that you have already." }),
    authenticatorSelection: z.object({
      residentKey: word("required"),
      requireResidentKey: z.literal(true).meta({ example: true }),
      userVerification: word("required"),
    }),
  })
  .meta({
    id: "PasskeyCreationOptions",
    description: "For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`.",
  });

export type CreationOptions = z.output<typeof creationOptionsSchema>;

export const requestOptionsSchema = z
  .object({
    challenge,
    rpId: z.string().meta({ example: "photos.example.org" }),
    timeout: z.int(),
    userVerification: z.enum(["required", "preferred"]).meta({ example: "required" }),
    allowCredentials: z.array(descriptor).meta({ description: "Empty if any passkey of the site will do." }),
  })
  .meta({
    id: "PasskeyRequestOptions",
    description: "For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`.",
  });

const ticket = text(100).optional().meta({
  description: "For the second step of a sign-in: what the first step has answered with.",
});

export const requestSchema = z.object({ ticket }).meta({ id: "PasskeyRequest", example: {} });

export const passkeySignInSchema = z.object({ response: assertionSchema, ticket }).meta({ id: "PasskeySignIn" });

export type PasskeyResponse = z.output<typeof passkeySignInSchema>;
export type RequestOptions = z.output<typeof requestOptionsSchema>;
