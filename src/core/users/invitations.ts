import { recordActivity } from "../activity/record.ts";
import { missing } from "../../platform/errors.ts";
import { hashToken, isToken } from "../../platform/auth/link-tokens.ts";
import type { Database, Queries, Reader } from "../../platform/database/database.ts";
import type { Page } from "../../platform/database/lists.ts";
import { removeRows } from "../../platform/database/remove-rows.ts";
import { sql, type Sql } from "../../platform/database/sql.ts";
import type { Caller, Role } from "../../platform/http/route.ts";
import { toISO } from "../../platform/http/times.ts";
import { type Invitation, invalidInvitation } from "./invitation.ts";

type Row = {
  id: number;
  role: Role;
  note: string;
  address: string | null;
  created_by: number;
  username: string;
  created_at: number;
  expires_at: number | null;
};

/** Those of a person who is no longer an admin are not valid. */
const isValid = (): Sql => sql`(expires_at IS NULL OR expires_at > ${Date.now()})
  AND created_by IN (SELECT id FROM users WHERE role = 'admin')`;

const select = (where: Sql): Sql => sql`
  SELECT invitations.id, invitations.role, note, address, created_by, username, invitations.created_at, expires_at
  FROM invitations JOIN users ON users.id = created_by WHERE ${where} AND ${isValid()}`;

type NewInvitation = { token: string; role: Role; note: string; address: string | null; expiresAt: number | null };

export async function insertInvitation(tx: Queries, caller: Caller, invitation: NewInvitation): Promise<Invitation> {
  const { token, role, note, address, expiresAt } = invitation;
  const row = await tx.get<{ id: number }>(sql`
    INSERT INTO invitations (token_hash, role, note, address, created_by, created_at, expires_at)
    VALUES (${hashToken(token)}, ${role}, ${note}, ${address}, ${caller.id}, ${Date.now()}, ${expiresAt}) RETURNING id`);
  const created = await getInvitation(tx, (row as { id: number }).id);
  recordActivity(tx, caller.id, "created", activityOf(created));
  return created;
}

/** Those that can still be used, newest first. */
export async function listInvitations(
  db: Reader,
  { offset, size }: Page,
): Promise<{ items: Invitation[]; total: number }> {
  const rows = await db.all<Row>(
    sql`${select(sql`1 = 1`)} ORDER BY invitations.id DESC LIMIT ${size} OFFSET ${offset}`,
  );
  const all = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM invitations WHERE ${isValid()}`);
  return { items: rows.map(toInvitation), total: all?.count ?? 0 };
}

/** Throws if there is none that can still be used. */
export async function getInvitation(db: Reader, id: number): Promise<Invitation> {
  const row = await db.get<Row>(select(sql`invitations.id = ${id}`));
  if (!row) throw missing(`invitation ${id}`);
  return toInvitation(row);
}

export async function revokeInvitation(tx: Queries, caller: Caller, invitation: Invitation): Promise<void> {
  const revoked = await tx.run(sql`DELETE FROM invitations WHERE id = ${invitation.id}`);
  if (revoked > 0) recordActivity(tx, caller.id, "deleted", activityOf(invitation));
}

/** The role that an invitation gives; null if it is not valid. */
export async function findInvitedRole(db: Reader, token: string): Promise<Role | null> {
  const row = isToken(token) ? await db.get<Row>(select(sql`token_hash = ${hashToken(token)}`)) : null;
  return row?.role ?? null;
}

/** Uses an invitation up. Of two who use it at the same moment, one gets an error. */
export async function takeInvitation(tx: Queries, token: string): Promise<void> {
  const used = await tx.run(sql`DELETE FROM invitations WHERE token_hash = ${hashToken(token)} AND ${isValid()}`);
  if (used === 0) throw invalidInvitation();
}

export function removeExpiredInvitations(db: Database): Promise<number> {
  return removeRows(db, "invitations", sql`expires_at <= ${Date.now()}`);
}

/** Belongs to no user: only admins see it. */
const activityOf = ({ id, role, note }: Invitation) => ({
  kind: "invitation",
  id,
  ownerID: null,
  name: note === "" ? role : `${role}: ${note}`,
});

const toInvitation = (row: Row): Invitation => ({
  id: row.id,
  role: row.role,
  note: row.note,
  email: row.address,
  createdBy: { id: row.created_by, username: row.username },
  createdAt: new Date(row.created_at).toISOString(),
  expiresAt: toISO(row.expires_at),
});
