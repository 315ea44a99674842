import { hashOfText } from "../hash.ts";
import { randomBytes } from "../secrets.ts";

/** A token for a link, which is stored as a hash: 256 random bits. */
export const createToken = () => randomBytes(32).toString("base64url");
export const isToken = (text: string) => /^[\w-]{43}$/.test(text);
/** By this, people and programs that look for leaked secrets recognize an app key. */
export const keyPrefix = "vit_";
export const hashToken = (token: string) => hashOfText(token);
