import type { Answer, Client } from "../client.ts";
import type { People } from "./records.ts";

export type Row = {
  /** Method and path, and what is special about the record. */
  route: string;
  expected: Expected;
  /** What a guest gets through a share link to the record; by default, what every guest gets. */
  link?: number;
  /** A record: one for all who are refused, and a new one for everybody else. `watch` lists what the admin can read of it, to check that it has not changed. */
  prepare?: (people: People) => Promise<any>;
  send: (who: Client, record: any) => Promise<Answer>;
};

/** One line of the table of permissions. */
export const row = (route: string, expected: Expected, prepare: Row["prepare"] | null, send: Row["send"]): Row => ({
  route,
  expected,
  send,
  ...(prepare && { prepare }),
});

export type Expected = [guest: number, reader: number, author: number, stranger: number, owner: number, admin: number];

export const all = (status: number): Expected => [status, status, status, status, status, status];
export const members = (status: number): Expected => [401, status, status, status, status, status];
export const authors = (status: number): Expected => [401, 403, status, status, status, status];
export const ownerOnly = (status = 200): Expected => [401, 403, 403, 403, status, status];
/** Others must not learn that the record exists. */
export const hiddenFromOthers = (status = 200): Expected => [401, 404, 404, 404, status, status];
export const adminOnly: Expected = [401, 403, 403, 403, 403, 200];

/** The rows of reads have a file of their own, because a file of `npm test` may not take longer. */
export const isRead = ({ route }: Row): boolean => route.startsWith("GET ");
