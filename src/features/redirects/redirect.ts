import { z } from "zod";
import { batchIDs } from "../../core/records/batch.ts";
import { changes, text } from "../../platform/http/validate.ts";

const from = z.string().meta({
  description: "The old address: a path, perhaps with a query.",
  example: "/2019/05/a-week-in-lisbon",
});

export const redirectSchema = z
  .object({
    id: z.int(),
    from,
    to: z.string().nullable().meta({
      description: "Where it leads now; null if that was deleted. Guests are led only to what they may see.",
      example: "/blog/a-week-in-lisbon",
    }),
    title: z.string().nullable().meta({
      description: "The title or name of what it leads to; null for a path, and if that was deleted.",
      example: "A week in Lisbon",
    }),
    kind: z.enum(["post", "photo", "album", "file", "tag", "path"]).meta({
      description: "What it leads to. A record is found even if its own address changes.",
      example: "path",
    }),
    recordID: z.int().nullable().meta({ description: "The id of the record that it leads to.", example: null }),
    importID: z
      .int()
      .nullable()
      .meta({ description: "The import that has added it; null once somebody has changed it.", example: null }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Redirect", description: "An address of an earlier site, and where it leads." });

export type Redirect = z.output<typeof redirectSchema>;

export const redirectsQuery = z.object({
  q: text(1000).min(1).optional().meta({
    description: "Only those whose old address contains this, in upper or lower case.",
    example: "lisbon",
  }),
});

const sent = {
  from: text(1000).min(1).meta({
    description: "The old address, or its path. It leads anywhere only while this site has nothing there.",
    example: "/2019/05/a-week-in-lisbon",
  }),
  to: text(1000).min(1).meta({ description: "A path of this site.", example: "/blog/a-week-in-lisbon" }),
};

export const newRedirectSchema = z.object(sent).meta({ id: "NewRedirect" });
export const redirectChangesSchema = changes(sent).meta({ id: "RedirectChanges" });
export const redirectRemovalSchema = z.object({ ids: batchIDs }).meta({ id: "RedirectRemoval" });
