/** A mail as it is sent: every value was checked when it was queued. */
export type Letter = {
  to: string;
  subject: string;
  text: string;
  html: string | null;
  headers: Record<string, string>;
  /** Stays the same in every attempt. */
  messageID: string;
  date: Date;
};

/**
 * What became of an attempt. `temporary`: nothing was delivered, and it may be tried again; with `isOurs`, because the mail server
 * could not be used at all. `permanent`: the server has refused it; with `isAddress`, because of the address. `doubtful`: the
 * connection was lost after the text was sent, so nobody knows.
 */
export type Outcome =
  | { kind: "sent" }
  | { kind: "temporary"; reason: string; isOurs: boolean }
  | { kind: "permanent"; reason: string; isAddress: boolean }
  | { kind: "doubtful"; reason: string };

export type Mailer = {
  /** Never throws. */
  send(letter: Letter): Promise<Outcome>;
  /** Connects and signs in, without sending anything. Returns why that is not possible, or null. */
  check(): Promise<string | null>;
  close(): Promise<void>;
};
