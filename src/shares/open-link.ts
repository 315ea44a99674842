import { missing, Problem } from "../errors.ts";
import type { Database } from "../platform/database/database.ts";
import type { Exchange } from "../platform/http/exchange.ts";
import type { Grant, Grants } from "../platform/http/route.ts";
import { type CheckLinkPassword, decodePassword } from "./password.ts";
import { hashToken, isToken, type Shareable, type StoredShare } from "./share.ts";
import { findByToken, hasRecord } from "./store.ts";
import type { VisitCounter } from "./visits.ts";

export const linkHeaders = {
  "X-Share-Token": {
    description: "The token of a share link: the request also reaches what is shared.",
    example: "kXv0w2b1t3mQyq8J5cZr7uNfLd9hGaEoPsVxBiTjWk0",
  },
  "X-Share-Password": {
    description: "The password of the share link, if it has one. Not ASCII: as `UTF-8''p%C3%A4ssword`.",
    example: "correct horse battery",
  },
};

export type OpenedLink = { share: StoredShare; shareable: Shareable };

/** The link of a request. Throws if there is none: whether a token is unknown, or expired, or was ended, is not told. */
export type OpenLink = (exchange: Exchange) => Promise<OpenedLink>;

type Uses = {
  db: Database;
  shareables: Map<string, Shareable>;
  checkPassword: CheckLinkPassword;
  visits: VisitCounter;
};

export function createLinkOpener({ db, shareables, checkPassword, visits }: Uses): OpenLink {
  return async ({ request, address }) => {
    const token = request.headers.get("x-share-token") ?? "";
    const share = isToken(token) ? await findByToken(db, hashToken(token)) : null;
    const shareable = share && shareables.get(share.kind);
    if (!shareable || !(await hasRecord(db, shareable.kind, share))) throw missing("such link, or it has expired");
    const { id, passwordHash } = share;
    if (passwordHash !== null) {
      const sent = request.headers.get("x-share-password");
      if (sent === null) throw new Problem("unauthorized", "This link needs a password: send it as X-Share-Password.");
      const isCorrect = await checkPassword({ id, passwordHash }, decodePassword(sent), address);
      if (!isCorrect) throw new Problem("unauthorized", "The password of this link is wrong.");
    }
    visits.count(id, address);
    return { share, shareable };
  };
}

/** A request whose link cannot be opened reaches what everyone reaches. */
export const createLinkGrants = (openLink: OpenLink): Grants => ({
  headers: linkHeaders,
  async find(exchange) {
    const link = await openLink(exchange).catch((error: unknown) => {
      if (error instanceof Problem && (error.code === "missing" || error.code === "unauthorized")) return null;
      throw error;
    });
    return link && toGrant(link);
  },
});

export function toGrant({ share, shareable }: OpenedLink): Grant {
  const { ownerID, recordID, allowDownload, showMetadata } = share;
  return { ownerID, allowDownload, showMetadata, reach: shareable.shared.reach(recordID, share) };
}
