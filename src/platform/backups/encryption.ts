import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { BackupError } from "./place.ts";

/** How bytes and names are stored. */
export type Sealing = {
  /** At the end of the names of files. */
  readonly suffix: "" | ".age";
  /** The name under which a blob is stored. */
  nameOf(sha256: string): string;
  seal(bytes: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  unseal(bytes: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  /** The size of a stored file with this many bytes. */
  sizeOf(bytes: number): number;
};

/** What the operator has given to encrypt, and to read what is encrypted. */
export type Keys = {
  passphrase: string | null;
  /** The public key, `age1…`, of somebody who alone can read the backups. */
  recipient: string | null;
  /** A file with the secret key, `AGE-SECRET-KEY-1…`. */
  identityFile: string | null;
};

export const unsealed: Sealing = {
  suffix: "",
  nameOf: (sha256) => sha256,
  seal: async (bytes) => bytes,
  unseal: async (bytes) => bytes,
  sizeOf: (bytes) => bytes,
};

/** Loaded only where backups are encrypted. */
const loadAge = () => import("age-encryption");

const chunkBytes = 2 ** 16;
const tagBytes = 16;

/**
 * Files are encrypted in the format of age, so that its own program reads them. Names are keyed hashes: who does not have
 * the key cannot tell which files are stored. `identity` is null for someone who may only write.
 */
export async function createSealing(recipient: string, identity: string | null, nameKey: string): Promise<Sealing> {
  const { Decrypter, Encrypter } = await loadAge();
  const overhead = (await encryptBytes(recipient, new Uint8Array())).length - tagBytes;
  return {
    suffix: ".age",
    nameOf: (sha256) => createHmac("sha256", Buffer.from(nameKey, "hex")).update(sha256).digest("hex"),
    seal(bytes) {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      return encrypter.encrypt(bytes);
    },
    unseal(bytes) {
      if (identity === null) throw new BackupError(needsKey);
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      return decrypter.decrypt(bytes);
    },
    sizeOf: (bytes) => overhead + bytes + tagBytes * Math.max(1, Math.ceil(bytes / chunkBytes)),
  };
}

export const needsKey =
  "These backups are encrypted: set BACKUP_PASSPHRASE, or BACKUP_IDENTITY_FILE to the file with the secret key.";

export const newNameKey = () => randomBytes(32).toString("hex");

export async function generateKeys(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The secret key in a file as `age-keygen` writes it. */
export function readIdentityFile(path: string): string {
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new BackupError(`BACKUP_IDENTITY_FILE names a file that cannot be read: ${path}.`);
  }
  const line = text.split("\n").find((one) => one.startsWith("AGE-SECRET-KEY-1"));
  if (line) return line.trim();
  throw new BackupError(
    `BACKUP_IDENTITY_FILE must name a file with a line AGE-SECRET-KEY-1…, as age-keygen writes it.`,
  );
}

export async function encryptBytes(recipient: string, bytes: Uint8Array): Promise<Uint8Array> {
  const encrypter = new (await loadAge()).Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new BackupError(`BACKUP_RECIPIENT must be a public key of age, age1…, not "${recipient}".`);
  }
  return encrypter.encrypt(bytes);
}

export async function decryptBytes(identity: string, bytes: Uint8Array): Promise<Uint8Array> {
  const decrypter = new (await loadAge()).Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(bytes).catch(() => {
    throw new BackupError("These backups were encrypted for another key.");
  });
}

export async function encryptWithPassphrase(passphrase: string, text: string): Promise<Uint8Array> {
  const encrypter = new (await loadAge()).Encrypter();
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(text);
}

export async function decryptWithPassphrase(passphrase: string, bytes: Uint8Array): Promise<string> {
  const decrypter = new (await loadAge()).Decrypter();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(bytes, "text").catch(() => {
    throw new BackupError("BACKUP_PASSPHRASE is not the passphrase of these backups.");
  });
}
