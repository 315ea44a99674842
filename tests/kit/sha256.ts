/** The SHA-256 of bytes or of a text, in hexadecimal. */
export const sha256Of = (content: Bun.BlobOrStringOrBuffer): string =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");
