import { createClient, VitrineError } from "../../client/src/index.ts";

/** The studio is a client as any other. It signs in with the cookie of the site. */
export const api = createClient({ session: true });

export const isStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof VitrineError && statuses.includes(error.status);
