import { z } from "zod";
import { scopes } from "../../platform/http/scopes.ts";
import { id, line } from "../../platform/http/validate.ts";

/** More than a person can keep apart. */
export const mostKeys = 100;

const scope = z.enum(scopes);

const directoryID = "The directory of yours to which it is limited, with everything in it.";
const albumID = "The album of yours to which it is limited, with the albums and photos in it.";

export const newKeySchema = z
  .object({
    name: line(100).meta({ description: "What it is for.", example: "Backup of the phone" }),
    scopes: z
      .array(scope)
      .min(1)
      .max(scopes.length)
      .meta({
        description:
          "What it may do: `read`; write `photos`, `files`, the `blog` or `comments`; use WebDAV (`dav`); or everything that you can do as an `admin`.",
        example: ["read", "photos:write"],
      }),
    expiresAt: z.iso.datetime({ offset: true }).nullable().optional().meta({
      description: "When it stops working. Left out or null: never.",
      example: "2099-06-30T12:00:00.000Z",
    }),
    directoryID: id()
      .optional()
      .meta({ description: `${directoryID} Only one of both is possible.`, example: 7 }),
    albumID: id().optional().meta({ description: albumID }),
  })
  .refine(({ directoryID, albumID }) => directoryID === undefined || albumID === undefined, {
    error: "must not be sent together with directoryID",
    path: ["albumID"],
  })
  .meta({ id: "NewKey", example: { name: "Backup of the phone", scopes: ["read", "photos:write"] } });

export const keySchema = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: "Backup of the phone" }),
    scopes: z.array(scope).meta({ example: ["read", "photos:write"] }),
    directoryID: z.int().nullable().meta({ description: directoryID, example: null }),
    albumID: z.int().nullable().meta({ description: albumID, example: null }),
    limitedTo: z.string().nullable().meta({
      description:
        "The path of that directory, or the name of that album. Null if the key is not limited, or if the record is deleted: then it reaches nothing.",
      example: null,
    }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: "When it was last used, to within an hour." }),
    lastAddress: z.string().nullable().meta({
      description: "The address from which it was used then. Only you can see it.",
      example: "203.0.113.7",
    }),
  })
  .meta({ id: "AppKey", description: "A key with which a program acts for you." });

export type Key = z.output<typeof keySchema>;

export const createdKeySchema = keySchema
  .extend({
    key: z.string().meta({
      description: "Shown only now. Programs send it as `Authorization: Bearer <key>`.",
      example: "vit_…",
    }),
  })
  .meta({ id: "CreatedKey" });
