import { z } from "zod";
import { scopes } from "../../platform/http/scopes.ts";
import { line } from "../../platform/http/validate.ts";

/** More than a person can keep apart. */
export const mostKeys = 100;

const scope = z.enum(scopes);

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
  })
  .meta({ id: "NewKey" });

export const keySchema = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: "Backup of the phone" }),
    scopes: z.array(scope).meta({ example: ["read", "photos:write"] }),
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
