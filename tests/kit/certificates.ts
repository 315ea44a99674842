import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** Certificates as RFC 5280 describes them, with as little as a client needs. They are for servers on this machine. */

type Period = { from?: number; to?: number };
/** In PEM, as servers take them. */
type Certificate = { cert: string; key: string };
type Authority = { cert: string; issue(name: string, period?: Period): Certificate };

const day = 86_400_000;

export function createAuthority(): Authority {
  const own = createKeys();
  const authority = { name: "Test authority", key: own.privateKey };
  const isAuthority = extension("551d13", [boolean, element(0x30, [boolean])]);
  return {
    cert: make(authority, { name: authority.name, key: own.publicKey, extensions: [isAuthority] }),
    issue(name, period) {
      const { publicKey, privateKey } = createKeys();
      return { cert: make(authority, subjectOf(name, publicKey, period)), key: print(privateKey) };
    },
  };
}

export function createSelfSigned(name: string): Certificate {
  const { publicKey, privateKey } = createKeys();
  return { cert: make({ name, key: privateKey }, subjectOf(name, publicKey)), key: print(privateKey) };
}

const createKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const print = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" });

type Issuer = { name: string; key: KeyObject };
type Subject = { name: string; key: KeyObject; extensions: Buffer[]; period?: Period };

/** A certificate for the host of this name. */
function subjectOf(name: string, key: KeyObject, period: Period = {}): Subject {
  return {
    name,
    key,
    extensions: [extension("551d11", [element(0x30, [element(0x82, [Buffer.from(name)])])])],
    period,
  };
}

function make(issuer: Issuer, { name, key, extensions, period = {} }: Subject): string {
  const { from = Date.now() - 365 * day, to = Date.now() + 365 * day } = period;
  const signed = element(0x30, [
    element(0xa0, [element(0x02, [Buffer.of(2)])]),
    element(0x02, [Buffer.of(1, ...crypto.getRandomValues(new Uint8Array(8)))]),
    withSHA256,
    nameOf(issuer.name),
    element(0x30, [time(from), time(to)]),
    nameOf(name),
    key.export({ type: "spki", format: "der" }),
    element(0xa3, [element(0x30, extensions)]),
  ]);
  const signature = sign("sha256", signed, issuer.key);
  const bytes = element(0x30, [signed, withSHA256, element(0x03, [Buffer.of(0), signature])]);
  const lines = bytes.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** An element of DER: its tag, its length and what is in it. */
function element(tag: number, parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const identifier = (hex: string) => element(0x06, [Buffer.from(hex, "hex")]);
const boolean = element(0x01, [Buffer.of(255)]);
/** ECDSA. */
const withSHA256 = element(0x30, [identifier("2a8648ce3d040302")]);

const nameOf = (text: string) =>
  element(0x30, [element(0x31, [element(0x30, [identifier("550403"), element(0x0c, [Buffer.from(text)])])])]);

const time = (at: number) =>
  element(0x17, [Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/\D/g, "")}Z`)]);

/** The last part is its value; the one before says that it is critical. */
const extension = (hex: string, parts: Buffer[]) =>
  element(0x30, [identifier(hex), ...parts.slice(0, -1), element(0x04, parts.slice(-1))]);
