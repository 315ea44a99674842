import type { CDPSession, Page } from "playwright-core";

type Credential = { credentialId: string; signCount: number };

/** A device with passkeys, which the browser takes for a part of the machine. It always says yes. */
export type Device = {
  /** What `navigator.credentials.create` returns for these options, as JSON. */
  create(options: unknown): Promise<any>;
  /** What `navigator.credentials.get` returns. */
  get(options: unknown): Promise<any>;
  credentials(): Promise<Credential[]>;
  clear(): Promise<void>;
  /** As if the passkey had been copied when its counter was this one. */
  setCounter(counter: number): Promise<void>;
  /** Whether it recognizes its owner. */
  setVerified(isUserVerified: boolean): Promise<void>;
  /** Whether it says yes without being asked twice, as it does at first. */
  setPresent(enabled: boolean): Promise<void>;
};

/** Passkeys need a page of their site. */
export async function addDevice(page: Page): Promise<Device> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const credentials = async () =>
    (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials as (Credential & object)[];
  const ask = (method: "create" | "get") => (options: unknown) =>
    page.evaluate(
      async ([method, json]) => {
        const { PublicKeyCredential: credential, navigator } = globalThis as any;
        const publicKey =
          method === "create"
            ? credential.parseCreationOptionsFromJSON(json)
            : credential.parseRequestOptionsFromJSON(json);
        const made = await navigator.credentials[method]({ publicKey });
        return made.toJSON();
      },
      [method, options] as const,
    );
  return {
    create: ask("create"),
    get: ask("get"),
    credentials,
    async clear() {
      await session.send("WebAuthn.clearCredentials", { authenticatorId });
    },
    async setCounter(counter) {
      for (const credential of await credentials()) {
        await session.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
        await session.send("WebAuthn.addCredential", {
          authenticatorId,
          credential: { ...credential, signCount: counter } as never,
        });
      }
    },
    async setVerified(isUserVerified) {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    async setPresent(enabled) {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
  };
}
