import { keyedHash, randomBytes } from "../secrets.ts";

const ivBytes = 12;

/** Encrypts a text that is to be stored (AES-256-GCM). `purpose` says what it is, so that it cannot be used as anything else. */
export async function sealText(secret: string, purpose: string, text: string): Promise<string> {
  const iv = randomBytes(ivBytes);
  const key = await keyOf(secret, purpose);
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(iv) }, key, Buffer.from(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url");
}

/** Null if it was encrypted with another secret, or for another purpose. */
export async function openSealedText(secret: string, purpose: string, sealed: string): Promise<string | null> {
  const bytes = new Uint8Array(Buffer.from(sealed, "base64url"));
  const iv = bytes.slice(0, ivBytes);
  try {
    const opened = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv },
      await keyOf(secret, purpose),
      bytes.slice(ivBytes),
    );
    return Buffer.from(opened).toString();
  } catch {
    return null;
  }
}

function keyOf(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = new Uint8Array(Buffer.from(keyedHash(secret, `seal:${purpose}`), "base64url"));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
