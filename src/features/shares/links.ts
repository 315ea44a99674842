import type { Intake } from "../../content/files/intake.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Grant, Grants } from "../../platform/http/route.ts";
import type { Log } from "../../platform/log.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";
import { createLinkFinder, createLinkGrants, createLinkOpener, type OpenLink, toGrant } from "./open-link.ts";
import { createLinkPasswords, type LinkGuesses } from "./password.ts";
import { createPictureReceiver, type ReceivePicture } from "./receive.ts";
import { type Shareable, shareablesOf } from "./share.ts";
import { createVisitCounter } from "./visits.ts";

/** Share links, for the API and the pages alike: a visit to both is one visit, and they have the same limits. */
export type ShareLinks = {
  /** What requests with a link may read beside what their caller may. */
  grants: Grants;
  shareables: Map<string, Shareable>;
  open: OpenLink;
  /** The same for a program that sends the token and the password in its own way. */
  openWith(exchange: Exchange, token: string, password: string | null): Promise<MountedLink>;
  /**
   * Checks the password that was sent with the form of a link. Returns headers with a cookie that opens the link, or null
   * if the password is wrong. Throws if there is no such link, or if there were too many wrong passwords.
   */
  unlock(exchange: Exchange, password: string): Promise<Record<string, string> | null>;
  receive: ReceivePicture;
  close(): Promise<void>;
};

type MountedLink = { id: number; kind: string; recordID: number; grant: Grant };

type Deps = { db: Database; intake: Intake; kinds: RecordKind[]; secret: string; guesses: LinkGuesses; log: Log };

export function createShareLinks({ db, intake, kinds, secret, guesses, log }: Deps): ShareLinks {
  const shareables = shareablesOf(kinds);
  const visits = createVisitCounter(db, log);
  const passwords = createLinkPasswords(secret, guesses);
  const findLink = createLinkFinder(db, shareables);
  const open = createLinkOpener({ findLink, passwords, visits });
  return {
    grants: createLinkGrants(open),
    shareables,
    open,
    async openWith(exchange, token, password) {
      const headers = password === null ? {} : { "X-Share-Password": `UTF-8''${encodeURIComponent(password)}` };
      const link = await open({ ...exchange, grantToken: token, request: new Request("http://link/", { headers }) });
      const { id, kind, recordID } = link.share;
      return { id, kind, recordID, grant: toGrant(link) };
    },
    async unlock(exchange, password) {
      const { id, passwordHash } = (await findLink(exchange)).share;
      if (passwordHash === null) return {};
      const isCorrect = await passwords.check({ id, passwordHash }, password, exchange.address);
      return isCorrect ? { "Set-Cookie": passwords.setProof(exchange, { id, passwordHash }) } : null;
    },
    receive: createPictureReceiver(db, intake),
    close: visits.close,
  };
}
