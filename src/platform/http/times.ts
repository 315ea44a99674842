import { invalid } from "../errors.ts";

/** As the API shows a time that may be missing. */
export const toISO = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** The time that was sent as `expiresAt`; null means never. */
export function parseExpiry(sent: string | null): number | null {
  if (sent === null) return null;
  const time = Date.parse(sent);
  if (time > Date.now()) return time;
  throw invalid(`"expiresAt" must be in the future.`, "expiresAt");
}
