import { missing, Problem } from "../../platform/errors.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Exchange } from "../../platform/http/exchange.ts";
import type { Grant, Grants } from "../../platform/http/route.ts";
import { decodePassword, type LinkPasswords } from "./password.ts";
import { hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import type { Shareable, StoredShare } from "./share.ts";
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

/** The link of a request. Throws if there is none: it does not say whether a token is unknown, has expired or was revoked. */
export type OpenLink = (exchange: Exchange) => Promise<OpenedLink>;

type Deps = {
  /** Finds the link, whether or not the request may open it. */
  findLink: OpenLink;
  passwords: LinkPasswords;
  visits: VisitCounter;
};

export const createLinkFinder =
  (db: Database, shareables: Map<string, Shareable>): OpenLink =>
  async ({ request, grantToken }) => {
    const token = grantToken ?? request.headers.get("x-share-token") ?? "";
    const share = isToken(token) ? await findByToken(db, hashToken(token)) : null;
    const shareable = share && shareables.get(share.kind);
    if (!shareable || !(await hasRecord(db, shareable.kind, share))) throw missing("such link, or it has expired");
    return { share, shareable };
  };

export function createLinkOpener({ findLink, passwords, visits }: Deps): OpenLink {
  return async (exchange) => {
    const link = await findLink(exchange);
    await checkPassword(exchange, link.share);
    visits.count(link.share.id, exchange.address);
    return link;
  };

  async function checkPassword(exchange: Exchange, { id, passwordHash }: StoredShare): Promise<void> {
    const { request, address } = exchange;
    if (passwordHash === null || passwords.hasProof(exchange, { id, passwordHash })) return;
    const sent = request.headers.get("x-share-password");
    if (sent === null) throw new Problem("unauthorized", "This link needs a password: send it as X-Share-Password.");
    const isCorrect = await passwords.check({ id, passwordHash }, decodePassword(sent), address);
    if (!isCorrect) throw new Problem("unauthorized", "The password of this link is wrong.");
  }
}

/** A request whose link cannot be opened reaches what everyone reaches. */
export const createLinkGrants = (openLink: OpenLink): Grants => ({
  headers: linkHeaders,
  readPath: readLinkPath,
  async find(exchange) {
    const link = await openLink(exchange).catch((error: unknown) => {
      if (error instanceof Problem && (error.code === "missing" || error.code === "unauthorized")) return null;
      throw error;
    });
    return link && toGrant(link);
  },
});

/**
 * The pages of a link are below `/s/<token>`, and so is the API as the link shows it: elements such as `<img>` cannot send
 * headers. The path that is left has no token, so that none is logged.
 */
function readLinkPath(path: string): { token: string; path: string } | null {
  if (!path.startsWith("/s/")) return null;
  const [, token, rest = ""] = /^\/s\/([\w-]{43})(\/.*)?$/.exec(path) ?? [];
  return token === undefined ? null : { token, path: rest.startsWith("/api/") ? rest : `/s${rest}` };
}

export function toGrant({ share, shareable }: OpenedLink): Grant {
  const { ownerID, recordID, allowDownload, showMetadata } = share;
  return { ownerID, allowDownload, showMetadata, reach: shareable.shared.reach(recordID, share) };
}
