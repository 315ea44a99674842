import { z } from "zod";
import { changes, queryInteger, text } from "../../platform/http/validate.ts";
import { roles, userSchema } from "./user.ts";

/** An account as admins see it. `fields` are the kinds of records that are counted. */
export const personSchemaOf = (fields: string[]) =>
  userSchema
    .extend({
      counts: z
        .object({ files: z.int(), directories: z.int(), ...Object.fromEntries(fields.map((name) => [name, z.int()])) })
        .meta({ description: "How many records the person has that are not in the trash." }),
      bytes: z.int().meta({
        description: "What the files of the person take, with their versions and those in the trash.",
        example: 144639,
      }),
      isBeingRemoved: z.boolean().meta({
        description: "Whether the person is being removed: the records are moved in the background.",
        example: false,
      }),
    })
    .meta({ id: "Person", description: "A user account, as admins see it." });

export type Person = z.output<ReturnType<typeof personSchemaOf>>;

export const personChangesSchema = changes({ role: z.enum(roles).meta({ example: "author" }) }).meta({
  id: "PersonChanges",
});

export const peopleQuery = z.object({
  q: text(64).optional().meta({ description: "Only people whose name contains this.", example: "ada" }),
});

/** What happens to the records of a person who is removed. */
export const removalQuery = z.object({
  giveTo: queryInteger(Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: "The id of the user who gets the records.", example: 1 }),
  records: z.enum(["trash"]).optional().meta({
    description: "`trash` moves the records to your trash.",
  }),
});

export type RemovalQuery = z.output<typeof removalQuery>;
