import { z } from "zod";
import { queryInteger } from "../../platform/http/validate.ts";
import type { RecordKind } from "../../core/records/record-kind.ts";

const namesOf = (kinds: RecordKind[]) => z.enum(kinds.map(({ name }) => name));

export const searchQueryOf = (kinds: RecordKind[]) =>
  z.object({
    q: z
      .string()
      .trim()
      .max(200)
      .refine((value) => value !== "", { error: "must not be blank" })
      .meta({
        minLength: 1,
        description: "Search terms. Put a phrase in double quotes for an exact match.",
        example: "harbour",
      }),
    kind: namesOf(kinds).optional().meta({ description: "Only records of this kind." }),
    limit: queryInteger(100)
      .default(20)
      .meta({ description: "The maximum number of results; has no effect with `cursor`." }),
  });

export type SearchQuery = z.output<ReturnType<typeof searchQueryOf>>;

export const resultSchemaOf = (kinds: RecordKind[]) =>
  z
    .object({
      kind: namesOf(kinds),
      id: z.int(),
      title: z.string().meta({ description: "The title or name; empty for a comment.", example: "Harbour at dusk" }),
      titleHTML: z.string().meta({
        description: "The title as HTML, with matches in `<mark>` and everything else escaped.",
        example: "<mark>Harbour</mark> at dusk",
      }),
      excerptHTML: z.string().meta({
        description:
          "An excerpt of the text around the first match, as HTML like the title; empty if there is no text.",
        example: "The last ferry leaves the <mark>harbour</mark>.",
      }),
      record: z
        .union(kinds.map(({ schema }) => schema))
        .meta({ description: "The record, as its own endpoint returns it." }),
    })
    .meta({ id: "SearchResult" });

export type Result = z.output<ReturnType<typeof resultSchemaOf>>;
