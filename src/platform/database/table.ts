import type { BlobUse, ByteUse, Column, Reference, Table } from "./tables.ts";

type Options = Partial<
  Pick<
    Table,
    "key" | "exported" | "without" | "tree" | "contradictions" | "standIn" | "rowsAtOnce" | "isTemporary" | "counts"
  >
>;

/**
 * Declares a table by what its columns are. One that is exported declares all of them, in the order of its fields; of another
 * one, those that mean something: bytes, hashes, JSON and references.
 */
export function table(name: string, columns: Record<string, Column>, options: Options = {}): Table {
  const declared: Table = { name, key: ["id"], columns, ...options };
  for (const [column, { form, blob, bytes, ref, recordOf }] of Object.entries(columns)) {
    if (blob) (declared.blobs ??= []).push({ column, ...blob });
    else if (form === "hash") (declared.otherHashes ??= []).push(column);
    if (bytes) (declared.bytes ??= []).push({ size: column, ...bytes });
    if (form === "json") (declared.json ??= []).push(column);
    if (ref?.lost) (declared.references ??= []).push({ column, ...ref.lost });
    if (recordOf) {
      const { kind, ...rest } = recordOf;
      (declared.recordReferences ??= []).push({ kind, id: column, ...rest });
    }
  }
  return declared;
}

const plain = (about: string): Column => ({ form: "plain", about });

export const id = (about = "its number, which is never reused"): Column => plain(about);
export const text = plain;
export const number = plain;
export const time = (about: string): Column => ({ form: "time", about });
export const created = (about = "when it was created"): Column => time(about);
export const updated = (about = "when it was last changed"): Column => time(about);
/** 0 or 1. */
export const flag = (about: string): Column => ({ form: "flag", about });
export const json = (about = ""): Column => ({ form: "json", about });
export const tags = (about = "its tags, a list"): Column => json(about);
export const visibility = (): Column => flag("whether only its owner and admins see it");
/** What people call the record. */
export const title = (about: string): Column => ({ form: "plain", about, role: "name" });

/** The user to whom the row belongs. */
export const owner = (about = "its owner: a number in `people`", more: Pick<Column, "isPersonal"> = {}): Column => ({
  form: "plain",
  about,
  role: "owner",
  ...more,
});

/** The user whose row it is, in a table of which nobody is the owner. */
export const person = (about = "a number in `people`"): Column => ({ form: "plain", about, role: "person" });

export const trash = (): Column => ({
  form: "plain",
  about: "the entry in `trash` that it belongs to; null if it is not deleted",
  role: "trash",
});

/** The id of a record of another kind, or of the same. */
export const ref = (kind: string, about: string, more: Omit<Reference, "kind"> = {}): Column => ({
  form: "plain",
  about,
  ref: { kind, ...more },
});

/** The id of the row of another table to which this one belongs. */
export const partOf = (table: string, about = `a number in \`${table}\``, word?: string): Column => ({
  form: "plain",
  about,
  partOf: { table, ...(word && { word }) },
});

/** The id of a record whose kind is in the column `kind`. */
export const recordOf = (kind: string, about: string, more: Omit<NonNullable<Column["recordOf"]>, "kind">): Column => ({
  form: "plain",
  about,
  recordOf: { kind, ...more },
});

/** A SHA-256 that keeps no blob. */
export const hash = (about: string, partOf?: Column["partOf"]): Column => ({
  form: "hash",
  about,
  ...(partOf && { partOf }),
});
/** The SHA-256 of a blob, which is kept while the row has it. */
export const blob = (about: string, use: BlobUse): Column => ({ form: "hash", about, blob: use });
/** A number of bytes in the row that count towards quotas, such as those of a text. */
export const bytes = (use: ByteUse, about = ""): Column => ({ form: "plain", about, bytes: use });

/** Columns that an export does not have. */
export const local = (left: string): Column => ({ form: "plain", about: "", left });
export const secret = (): Column => local("a secret");
export const derived = (): Column => local(fromOthers);
/** Why derived columns and tables are not exported. */
export const fromOthers = "follows from the others";
