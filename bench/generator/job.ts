/** Requests to one server, sent repeatedly for a while. */
export type Job = {
  port: number;
  /** Copies of the server: the connections are spread over all of them, and `port` is one of them. */
  ports?: number[] | undefined;
  connections: number;
  milliseconds: number;
  /** It ends early after this many requests. */
  most: number;
  /** Complete requests as they are sent over the wire, used in turn. */
  requests: Uint8Array[];
  /** Every response must have this status (null: one of success), and a body of this size if one is given. */
  status: number | null;
  bodyBytes: number | null;
  /** A request that is sent 50 times a second on a connection of its own. */
  beside?: Uint8Array | undefined;
};

/** How long requests took, in milliseconds. */
export type Latency = { p50: number; p90: number; p99: number };
export type Outcome = { count: number; milliseconds: number; latency: Latency; problem: string | null };

/** Placeholder for ten digits that differ in every request: a free name, new bytes, an uncached URL. */
export const counter = "##########";
