import type { Reader } from "../../platform/database/database.ts";
import { raw, sql } from "../../platform/database/sql.ts";
import { forbidden, invalid } from "../../platform/errors.ts";
import type { Caller, Limit } from "../../platform/http/route.ts";
import { type LimitKind, limitKinds, type Scope } from "../../platform/http/scopes.ts";
import type { RecordKind, Shared } from "../records/record-kind.ts";

export type Limited = { kind: LimitKind; id: number };

/** What a key can be for that reaches only such a record. */
const scopesWithin: Record<LimitKind, readonly Scope[]> = {
  directory: ["read", "files:write", "dav"],
  album: ["read", "photos:write"],
};

export type KeyLimits = ReturnType<typeof createKeyLimits>;

/** What app keys can be limited to. What such a key reaches is what a share link to the record would. */
export function createKeyLimits(kinds: RecordKind[]) {
  const known = new Map<LimitKind, { kind: RecordKind; shared: Shared }>();
  for (const kind of kinds)
    for (const name of limitKinds) {
      const shared = kind.shared?.[name];
      if (shared) known.set(name, { kind, shared });
    }

  return {
    open: ({ kind, id }: Limited): Limit => ({
      kind,
      id,
      reach: known.get(kind)?.shared.reach(id, { allowDownload: true }) ?? {},
    }),

    /** Throws if the caller cannot limit a key with these scopes to the record. */
    async check(db: Reader, caller: Caller, { kind, id }: Limited, scopes: readonly Scope[]): Promise<void> {
      const useless = scopes.find((scope) => !scopesWithin[kind].includes(scope));
      if (useless)
        throw invalid(
          `A key that is limited to one ${kind} cannot have the scope ${useless}, only ${scopesWithin[kind].join(", ")}.`,
          "scopes",
        );
      const field = `${kind}ID`;
      const ownerID = await findOwner(db, caller, { kind, id });
      if (ownerID === null) throw invalid(`"${field}" is invalid: there is no ${kind} ${id}.`, field);
      if (ownerID !== caller.id) throw forbidden(`You can limit a key only to a ${kind} of your own.`);
    },

    /** What people call these records: the path of a directory, the name of an album. None for those that are gone. */
    async name(db: Reader, userID: number, limits: Limited[]): Promise<(limit: Limited) => string | null> {
      const names = new Map<string, string>();
      for (const [kind, some] of Map.groupBy(limits, (limit) => limit.kind)) {
        const ids = [...new Set(some.map(({ id }) => id))];
        const found = await known.get(kind)?.kind.find(db, { id: userID, role: "reader" }, ids);
        for (const [id, { record, title }] of found ?? []) names.set(`${kind} ${id}`, pathOf(record) + title);
      }
      return ({ kind, id }) => names.get(`${kind} ${id}`) ?? null;
    },
  };

  async function findOwner(db: Reader, caller: Caller, { kind: name, id }: Limited): Promise<number | null> {
    const { kind, shared } = known.get(name) ?? {};
    if (!kind || !(await kind.find(db, caller, [id])).has(id)) return null;
    const row = await db.get<{ owner_id: number }>(sql`
      SELECT owner_id FROM ${raw(kind.table)} WHERE id = ${id} AND trash_id IS NULL AND ${shared?.where ?? sql`1 = 1`}`);
    return row?.owner_id ?? null;
  }
}

/** What stands before the name of a directory; nothing for other records. */
function pathOf(record: unknown): string {
  const { path } = record as { path?: string };
  if (path === undefined) return "";
  return path === "/" ? path : `${path}/`;
}
