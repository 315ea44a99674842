import { readAddress, setNotices } from "../../core/account-mail/store.ts";
import { type Topic, topics } from "../../core/account-mail/topics.ts";
import type { Database } from "../../platform/database/database.ts";
import { isSameSecret, keyedHash } from "../../platform/secrets.ts";

type Stop = { userID: number; topic: Topic };

const sign = (secret: string, { userID, topic }: Stop) => keyedHash(secret, `stop notices:${userID}:${topic}`);

/** With it, one kind of mail to one person can be switched off, and nothing else. */
export const createStopToken = (secret: string, stop: Stop): string =>
  `${stop.userID}.${stop.topic}.${sign(secret, stop)}`;

/** Null if the token was not made here. */
export function readStopToken(secret: string, token: string): Stop | null {
  const [id = "", word = "", signature = ""] = token.split(".");
  const topic = topics.find((one) => one === word);
  if (!topic || !/^[1-9]\d{0,14}$/.test(id)) return null;
  const stop = { userID: Number(id), topic };
  return isSameSecret(signature, sign(secret, stop)) ? stop : null;
}

export async function stopNotices(db: Database, { userID, topic }: Stop): Promise<void> {
  await db.transaction(async (tx) => {
    const { notices } = await readAddress(tx, userID);
    if (!notices.includes(topic)) return;
    await setNotices(tx, { userID, notices, wanted: notices.filter((one) => one !== topic) });
  });
}
