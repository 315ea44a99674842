import { z } from "zod";
import { forbidden, invalid } from "../../platform/errors.ts";
import type { Caller } from "../../platform/http/route.ts";
import { changes, id, text } from "../../platform/http/validate.ts";
import type { RecordKind, Shared } from "../../core/records/record-kind.ts";

const kindOf = (kinds: string[]) =>
  z.enum(kinds).meta({ description: "What the link leads to.", example: kinds.includes("album") ? "album" : kinds[0] });

const allowDownload = z.boolean().meta({
  description:
    "Whether originals can be downloaded, as far as the public bytes of a file can. Default: true, unless `showMetadata` is false. Without it, pictures are still shown.",
  example: true,
});
const allowUpload = z.boolean().meta({
  description: "Whether guests can send pictures to the album or directory. They wait for approval. Default: false.",
  example: false,
});
const showMetadata = z.boolean().meta({
  description: "Whether camera, capture time and place are shown, as far as the public would see them. Default: true.",
  example: true,
});
const password = text(256).min(8).meta({ format: "password" }).nullable().meta({
  description: "Guests must send it as `X-Share-Password`. Null: no password is needed.",
  example: null,
});
const expiresAt = z.iso
  .datetime({ offset: true })
  .nullable()
  .meta({ description: "When the link stops working. Null: never.", example: "2099-06-30T12:00:00.000Z" });

const shown = {
  recordID: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  allowDownload: z.boolean(),
  allowUpload: z.boolean(),
  showMetadata: z.boolean(),
};

/** `kinds` are the names of what can be shared. */
export function shareSchemas(kinds: string[]) {
  const share = z
    .object({
      id: z.int(),
      kind: kindOf(kinds),
      ...shown,
      title: z
        .string()
        .nullable()
        .meta({ description: "The title or name of the record; null while it is in the trash.", example: "Lisbon" }),
      image: z.string().nullable().meta({
        description: "The address of a small picture of the record; null if there is none.",
        example: "/api/v1/photos/1/image?w=320",
      }),
      ownerID: z.int().meta({ description: "The owner of the record." }),
      hasPassword: z.boolean(),
      uses: z.int().meta({
        description:
          "How many visits the link had. Requests from one address within half an hour are one visit; a visit is counted within a few seconds.",
      }),
      lastUsedAt: z.iso.datetime().nullable().meta({ description: "When the last visit began." }),
      waitingUploads: z.int().meta({ description: "How many pictures from guests wait for approval.", example: 0 }),
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    })
    .meta({ id: "Share", description: "A link to a record." });
  const created = share
    .extend({
      token: z.string().meta({ description: "Shown only once.", example: "kXv0w2b1…" }),
      url: z.string().meta({ description: "The link, shown only once.", example: "https://example.org/s/kXv0w2b1…" }),
    })
    .meta({ id: "NewShareResult", description: "A link, with its token." });
  const sent = z
    .object({
      kind: kindOf(kinds),
      id: id().meta({ description: "The id of the record.", example: 1 }),
      expiresAt: expiresAt.optional(),
      password: password.optional(),
      allowDownload: allowDownload.optional(),
      allowUpload: allowUpload.default(false),
      showMetadata: showMetadata.default(true),
    })
    .meta({ id: "NewShare" });
  const opened = z
    .object({ kind: kindOf(kinds), title: z.string(), ...shown })
    .meta({ id: "OpenedShare", description: "What a link leads to. The record is read by its kind and `recordID`." });
  return { share, created, sent, opened };
}

export const shareChangesSchema = changes({ expiresAt, password, allowDownload, allowUpload, showMetadata }).meta({
  id: "ShareChanges",
});

/** What a name in `kind` stands for. */
export type Shareable = { kind: RecordKind; shared: Shared };

export const shareablesOf = (kinds: RecordKind[]): Map<string, Shareable> =>
  new Map(
    kinds.flatMap((kind) =>
      Object.entries(kind.shared ?? {}).map(([name, shared]) => [name, { kind, shared }] as const),
    ),
  );

type Options = { allowDownload: boolean; allowUpload: boolean; showMetadata: boolean };

/** As stored. Its token and password are known only as hashes. */
export type StoredShare = Options & {
  id: number;
  kind: string;
  recordID: number;
  ownerID: number;
  passwordHash: string | null;
  expiresAt: number | null;
  uses: number;
  lastUsedAt: number | null;
  /** How many pictures were ever sent through it. */
  uploads: number;
  /** How many of them wait for approval. */
  waitingUploads: number;
  createdAt: number;
  updatedAt: number;
};

/** Throws if a link of this kind cannot have these options. */
export function checkOptions(
  kind: string,
  shared: Shared,
  { allowDownload, allowUpload, showMetadata }: Options,
): void {
  if (allowUpload && !shared.uploads) {
    throw invalid(`"allowUpload" must be false: nothing can be uploaded to a ${kind}.`, "allowUpload");
  }
  if (allowDownload && !showMetadata) {
    throw invalid(`"allowDownload" must be false if "showMetadata" is: files contain metadata.`, "allowDownload");
  }
  if (shared.isForDownload && !allowDownload && !allowUpload) {
    throw invalid(`"allowDownload" must be true: without it, a link to a ${kind} shows nothing.`, "allowDownload");
  }
}

/** Whose links a list has: those of the caller, of one user, or all. */
export const ownerQuery = z
  .string()
  .regex(/^(me|all|[1-9]\d{0,14})$/, { error: "must be `me`, `all` or the id of a user" })
  .default("me")
  .meta({
    description: "Whose links: your own, or, for admins, `all` or those of the user with this id.",
    example: "me",
  });

/** The id of the owner whose links are wanted; null for all. */
export function chooseOwner(caller: Caller, owner: string): number | null {
  if (owner === "me" || owner === String(caller.id)) return caller.id;
  if (caller.role !== "admin") throw forbidden("Only admins can list the links of others.");
  return owner === "all" ? null : Number(owner);
}
