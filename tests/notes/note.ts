import { z } from "zod";
import { changes, line } from "../../src/platform/http/validate.ts";
import { visibilitySchema } from "../../src/core/records/visibility.ts";

const text = line(300).meta({ example: "Buy milk" });

export const noteSchema = z
  .object({
    id: z.int(),
    ownerID: z.int(),
    text,
    visibility: visibilitySchema,
    createdAt: z.iso.datetime(),
    attachment: z.object({ size: z.int(), url: z.string() }).nullable(),
  })
  .meta({ id: "Note" });
export type Note = z.output<typeof noteSchema>;

export const newNoteSchema = z
  .object({
    text,
    visibility: visibilitySchema.optional(),
  })
  .meta({ id: "NewNote" });
export type NewNote = z.output<typeof newNoteSchema>;

export const noteChangesSchema = changes({ text, visibility: visibilitySchema }).meta({ id: "NoteChanges" });
export type NoteChanges = z.output<typeof noteChangesSchema>;
