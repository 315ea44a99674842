import { z } from "zod";
import { line } from "../../platform/http/validate.ts";
import { fold } from "../../platform/text.ts";

/** The tags of a record, in the order in which they are shown. */
export const tagsSchema = z.array(z.string()).meta({ example: ["travel"] });

export const maxTags = 20;

/** The tags that a client sends. */
export const newTagsSchema = z
  .array(line(50))
  .max(maxTags)
  .meta({ description: "At most 20. Upper and lower case are the same tag.", example: ["travel"] });

export const tagQuery = z.object({
  tag: line(50).optional().meta({ description: "Only records with this tag. The list is then read by cursor." }),
});

/** Tags with the same key are the same tag. */
export const tagKey = (tag: string): string => fold(tag.trim());

/** As they are stored: each tag once, as it was first written. */
export function uniqueTags(tags: string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag.trim().normalize("NFC"));
  return [...byKey.values()];
}
