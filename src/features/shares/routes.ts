import { z } from "zod";
import { forbidden, invalid, missing } from "../../platform/errors.ts";
import { hashPassword } from "../../platform/auth/passwords.ts";
import type { Database, Reader } from "../../platform/database/database.ts";
import { byID } from "../../platform/database/keyset.ts";
import { mapSlices } from "../../platform/database/slices.ts";
import { alwaysSortedBy } from "../../platform/http/cursor.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { type Caller, isOwnerOrAdmin, type Route, route } from "../../platform/http/route.ts";
import { createToken, hashToken } from "../../platform/auth/link-tokens.ts";
import { parseExpiry, toISO } from "../../platform/http/times.ts";
import { queryInteger } from "../../platform/http/validate.ts";
import { granterOf } from "../../core/records/visibility.ts";
import { linkHeaders, type OpenLink, toGrant } from "./open-link.ts";
import { presentShares } from "./present.ts";
import {
  checkOptions,
  chooseOwner,
  ownerQuery,
  type Shareable,
  shareChangesSchema,
  shareSchemas,
  type StoredShare,
} from "./share.ts";
import {
  deleteShare,
  findRecordOwner,
  getShare,
  insertShare,
  listShares,
  listSharesByKey,
  updateShare,
} from "./store.ts";

const tag = "Shares";

type Deps = { db: Database; shareables: Map<string, Shareable>; openLink: OpenLink; baseURL: string };

export function shareRoutes({ db, shareables, openLink, baseURL }: Deps): Route[] {
  const kinds = [...shareables.keys()];
  const schemas = shareSchemas(kinds);
  const getShareable = (kind: string) => shareables.get(kind) as Shareable;
  const presentAll = (caller: Caller, shares: StoredShare[], reader: Reader = db) =>
    presentShares(reader, caller, shareables, shares);
  const present = async (caller: Caller, share: StoredShare, reader: Reader = db) =>
    (await presentAll(caller, [share], reader))[0]!;
  return [
    route({
      method: "POST",
      path: "/api/v1/shares",
      name: "createShare",
      tag,
      summary: "Create a share link",
      details:
        "Restricted to the owner of the record and admins. Whoever has the link can read the record and what lies in it, without signing in. The token is shown only in this response: it is stored as a hash.",
      role: "author",
      scope: "admin",
      body: schemas.sent,
      noIdempotency: "token",
      status: 201,
      response: schemas.created,
      statuses: { 404: "There is no such record" },
      async handle({ body, caller }) {
        const { kind, id: recordID, allowUpload, showMetadata } = body;
        const shareable = getShareable(kind);
        const ownerID = await findRecordOwner(db, caller, shareable, recordID);
        if (ownerID === null) throw missing(`${kind} ${recordID}`);
        if (!isOwnerOrAdmin(caller, { ownerID })) throw forbidden("Only the owner or an admin can share this.");
        const options = { allowDownload: body.allowDownload ?? showMetadata, allowUpload, showMetadata };
        checkOptions(kind, shareable.shared, options);
        if (allowUpload) await shareable.shared.uploads?.check?.(db, caller, recordID);
        const expiresAt = parseExpiry(body.expiresAt ?? null);
        const passwordHash = body.password ? await hashPassword(body.password) : null;
        const token = createToken();
        const draft = { kind, recordID, ownerID, ...options, expiresAt, passwordHash, tokenHash: hashToken(token) };
        const share = await db.transaction((tx) => insertShare(tx, caller.id, draft));
        return { ...(await present(caller, share)), token, url: `${baseURL}/s/${token}` };
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/shares",
      name: "listShares",
      tag,
      summary: "List share links, newest first",
      role: "reader",
      query: z.object({
        owner: ownerQuery,
        kind: z.enum(kinds).optional().meta({ description: "Only links to records of this kind." }),
        id: queryInteger(Number.MAX_SAFE_INTEGER)
          .optional()
          .meta({ description: "Only links to the record with this id; needs `kind`." }),
      }),
      cursor: alwaysSortedBy(byID, "desc"),
      response: z.array(schemas.share),
      async handle({ query: { owner, kind, id: recordID }, cursor, caller }) {
        if (recordID !== undefined && kind === undefined) throw invalid(`"id" needs "kind".`, "kind");
        const wanted = { ownerID: chooseOwner(caller, owner), kind, recordID };
        if (!cursor) return mapSlices(listShares(db, wanted), (some) => presentAll(caller, some));
        const { items, next } = await listSharesByKey(db, wanted, cursor);
        return { items: mapSlices(items, (some) => presentAll(caller, some)), next };
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/shares/:id",
      name: "readShare",
      tag,
      summary: "Read a share link",
      details: "Without its token. Links exist only for the owner of the record and admins.",
      role: "reader",
      find: ({ id }, caller) => getShare(db, caller, id),
      response: schemas.share,
      handle: ({ record, caller }) => present(caller, record),
    }),

    route({
      method: "PUT",
      path: "/api/v1/shares/:id",
      name: "changeShare",
      tag,
      summary: "Change a share link",
      details: "Omitted fields keep their values. The token stays the same.",
      role: "author",
      scope: "admin",
      find: ({ id }, caller) => getShare(db, caller, id),
      current: async (tx, caller, { id }) => present(caller, await getShare(tx, caller, id, tx.forUpdate), tx),
      body: shareChangesSchema,
      response: schemas.share,
      async handle({ record, body, caller, transaction }) {
        const expiresAt = body.expiresAt === undefined ? undefined : parseExpiry(body.expiresAt);
        const passwordHash = body.password ? await hashPassword(body.password) : body.password;
        const updated = await transaction(async (tx) => {
          const share = await getShare(tx, caller, record.id, tx.forUpdate);
          const changed = {
            ...share,
            allowDownload: body.allowDownload ?? share.allowDownload,
            allowUpload: body.allowUpload ?? share.allowUpload,
            showMetadata: body.showMetadata ?? share.showMetadata,
            expiresAt: expiresAt === undefined ? share.expiresAt : expiresAt,
            passwordHash: passwordHash === undefined ? share.passwordHash : passwordHash,
          };
          const { shared } = getShareable(share.kind);
          checkOptions(share.kind, shared, changed);
          if (changed.allowUpload) await shared.uploads?.check?.(tx, caller, share.recordID);
          return updateShare(tx, caller.id, changed);
        });
        return present(caller, updated);
      },
    }),

    route({
      method: "DELETE",
      path: "/api/v1/shares/:id",
      name: "endShare",
      tag,
      summary: "Revoke a share link",
      details: "It stops working at once. Pictures that wait for approval are deleted with it.",
      role: "reader",
      scope: "admin",
      find: ({ id }, caller) => getShare(db, caller, id),
      current: async (tx, caller, { id }) => present(caller, await getShare(tx, caller, id, tx.forUpdate), tx),
      response: messageSchema,
      async handle({ record, caller, transaction }) {
        await transaction((tx) => deleteShare(tx, caller.id, record));
        return { message: "The link was revoked." };
      },
    }),

    route({
      method: "GET",
      path: "/api/v1/shared",
      name: "openShare",
      tag,
      summary: "Open a share link",
      details:
        "Returns what the link in `X-Share-Token` leads to. Send the same headers with the requests that read the record: they reach it, what lies in it, and what is public. A token that is unknown, has expired or was revoked is a 404.",
      headers: {
        "X-Share-Token": { ...linkHeaders["X-Share-Token"], required: true },
        "X-Share-Password": linkHeaders["X-Share-Password"],
      },
      response: schemas.opened,
      statuses: {
        401: "The password is missing or wrong",
        404: "There is no such link, or it no longer works",
      },
      async handle({ exchange }) {
        const link = await openLink(exchange);
        const { kind, recordID, expiresAt, allowDownload, allowUpload, showMetadata } = link.share;
        const found = await link.shareable.kind.find(db, granterOf(toGrant(link)), [recordID]);
        const title = found.get(recordID)?.title;
        if (title === undefined) throw missing("such link, or it has expired");
        return { kind, recordID, title, expiresAt: toISO(expiresAt), allowDownload, allowUpload, showMetadata };
      },
    }),
  ];
}
