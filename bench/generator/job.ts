/** Requests for one server, sent over and over for a while. */
export type Job = {
  port: number;
  connections: number;
  milliseconds: number;
  /** It ends early after so many requests. */
  most: number;
  /** Whole requests as they go over the wire, sent in turn. */
  requests: Uint8Array[];
  /** Every answer must have this status, and a body of this size where one is given. */
  status: number;
  bodyBytes: number | null;
};

export type Outcome = { count: number; milliseconds: number; problem: string | null };

/** Stands for ten digits that are different in every request: a name not taken, bytes not seen, an address not cached. */
export const counter = "##########";
