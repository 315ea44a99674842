// Runs on the embedded engines only: it starts no server.
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { bech32 } from "@scure/base";
import { describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync, scryptSync } from "node:crypto";
import { createSealing, encryptWithPassphrase, generateKeys, newNameKey } from "./encryption.ts";
import { testLong } from "../../../tests/kit/long.ts";

const text = "What only the owner may read.";
const derive = (key: Uint8Array, salt: Uint8Array, info: string) =>
  new Uint8Array(hkdfSync("sha256", key, salt, info, 32));
const decrypt = (key: Uint8Array, bytes: Uint8Array, nonce = new Uint8Array(12)) =>
  chacha20poly1305(key, nonce).decrypt(bytes);

/** The one recipient in the header of a file, and the rest of the file: a nonce and the text in one chunk. */
function parse(bytes: Uint8Array) {
  const latin = Buffer.from(bytes).toString("latin1");
  const [header = "", version, words = "", wrapped = ""] =
    /^(age-encryption\.org\/v1)\n-> (.*)\n(.*)\n--- [\w+/]{43}\n/.exec(latin) ?? [];
  const rest = bytes.subarray(header.length);
  return {
    version,
    words: words.split(" "),
    wrapped: Buffer.from(wrapped, "base64"),
    nonce: rest.subarray(0, 16),
    chunk: rest.subarray(16),
  };
}

/** With ChaCha20-Poly1305, as the only and therefore last chunk. */
function readText({ nonce, chunk }: ReturnType<typeof parse>, fileKey: Uint8Array): string {
  const last = new Uint8Array(12).fill(1, 11);
  return Buffer.from(decrypt(derive(fileKey, nonce, "payload"), chunk, last)).toString();
}

const stream = (bytes: Uint8Array | string) => new Blob([bytes]).stream();
const collect = async (bytes: ReadableStream<Uint8Array>) => new Uint8Array(await new Response(bytes).arrayBuffer());

describe("an encrypted file", () => {
  test("is sealed with X25519, HKDF and ChaCha20-Poly1305, under a key of its own", async () => {
    const { identity, recipient } = await generateKeys();
    const { seal } = await createSealing(recipient, null, newNameKey());
    const [one, other] = [await collect(await seal(stream(text))), await collect(await seal(stream(text)))];
    const file = parse(one);
    expect([file.version, file.words[0]]).toEqual(["age-encryption.org/v1", "X25519"]);
    const share = Buffer.from(file.words[1] ?? "", "base64");
    const secret = bech32.decodeToBytes(identity.toLowerCase()).bytes;
    const publicKey = bech32.decodeToBytes(recipient).bytes;
    const shared = exchangeKeys(secret, share);
    const wrapKey = derive(shared, Buffer.concat([share, publicKey]), "age-encryption.org/v1/X25519");
    const fileKey = decrypt(wrapKey, file.wrapped);
    expect([fileKey.length, readText(file, fileKey)]).toEqual([16, text]);
    const second = parse(other);
    expect([share.equals(Buffer.from(second.words[1] ?? "", "base64")), file.wrapped.equals(second.wrapped)]).toEqual([
      false,
      false,
    ]);
    expect(() => readText(second, fileKey)).toThrow();
  });

  testLong("is sealed for a passphrase with scrypt, at a cost of 2^18", async () => {
    const file = parse(await encryptWithPassphrase("tide at nine", text));
    const [kind, salt = "", cost] = file.words;
    expect([file.version, kind, cost]).toEqual(["age-encryption.org/v1", "scrypt", "18"]);
    const label = Buffer.concat([Buffer.from("age-encryption.org/v1/scrypt"), Buffer.from(salt, "base64")]);
    const wrapKey = scryptSync("tide at nine", label, 32, { N: 2 ** 18, r: 8, p: 1, maxmem: 2 ** 29 });
    expect(readText(file, decrypt(wrapKey, file.wrapped))).toBe(text);
  });

  test("with a byte changed anywhere is refused, and gives no byte of its text", async () => {
    const { identity, recipient } = await generateKeys();
    const { seal, unseal } = await createSealing(recipient, identity, newNameKey());
    const sealed = await collect(await seal(stream(text)));
    expect(Buffer.from(await collect(await unseal(stream(sealed)))).toString()).toBe(text);
    const read = async (bytes: Uint8Array) => collect(await unseal(stream(bytes)));
    // In every line of the header, in the nonce and in the text.
    for (let index = 0; index < sealed.length; index += 11) {
      const changed = sealed.with(index, (sealed[index] ?? 0) ^ 1);
      expect(read(changed)).rejects.toThrow();
    }
    for (const length of [0, sealed.length - 1, sealed.length - 16]) {
      expect(read(sealed.subarray(0, length))).rejects.toThrow();
    }
  });
});

/** X25519, by the runtime. */
function exchangeKeys(secret: Uint8Array, share: Uint8Array): Uint8Array {
  const key = (prefix: string, bytes: Uint8Array) => Buffer.concat([Buffer.from(prefix, "hex"), bytes]);
  return diffieHellman({
    privateKey: createPrivateKey({
      key: key("302e020100300506032b656e04220420", secret),
      format: "der",
      type: "pkcs8",
    }),
    publicKey: createPublicKey({ key: key("302a300506032b656e032100", share), format: "der", type: "spki" }),
  });
}
