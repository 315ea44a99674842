import { z } from "zod";
import { variantSchema } from "../../core/images/image.ts";
import { changes, id, line, text } from "../../platform/http/validate.ts";

const maxLinks = 8;

const displayName = line(80)
  .refine((name) => !/[\u202A-\u202E\u2066-\u2069]/.test(name), {
    error: "must not contain characters that change the direction of text",
  })
  .nullable()
  .meta({ description: "Shown instead of the username; null for none.", example: "Ada Lovelace" });

const about = text(500).meta({
  description: "A short text about yourself.",
  example: "I photograph harbours, and write about machines.",
});

const url = z
  .string()
  .max(500)
  .refine(isLink, { error: "must be a URL that begins with https://, http:// or mailto:" })
  .meta({ example: "https://social.example/@ada" });

const linkSchema = z
  .object({
    url,
    label: line(60).nullish().meta({ description: "Without one, the site shows the host.", example: "Mastodon" }),
  })
  .meta({ id: "ProfileLink" });

export type ProfileLink = z.output<typeof linkSchema>;

const links = z.array(linkSchema).meta({ description: 'The site shows them with `rel="me"`.' });

const portraitSchema = z
  .object({
    photoID: z.int(),
    altText: z.string(),
    thumbhash: z.string().nullable(),
    variants: z.array(variantSchema),
  })
  .meta({ id: "Portrait", description: "A public photo of the person." });

export type Portrait = z.output<typeof portraitSchema>;

const portrait = portraitSchema.nullable().meta({
  description: "As everyone sees it. Null if there is none, or if the photo is private or deleted.",
});

export const profileSchema = z
  .object({
    displayName,
    about,
    links,
    portraitID: z.int().nullable().meta({ description: "The photo that was chosen.", example: 7 }),
    portrait,
  })
  .meta({ id: "Profile", description: "What the site shows about you." });

export type Profile = z.output<typeof profileSchema>;

export const profileChangesSchema = changes({
  displayName,
  about,
  links: links.max(maxLinks),
  portraitID: id().nullable().meta({ description: "One of your own photos; null for none.", example: 7 }),
}).meta({ id: "ProfileChanges" });

export type ProfileChanges = z.output<typeof profileChangesSchema>;

export const publicPersonSchema = z
  .object({
    id: z.int(),
    username: z.string().meta({ example: "ada" }),
    displayName,
    about,
    links,
    portrait,
    url: z.string().meta({ description: "The page of the person.", example: "/people/ada" }),
  })
  .meta({ id: "PublicPerson", description: "Somebody who has published something, as everyone sees them." });

export type PublicPerson = z.output<typeof publicPersonSchema>;

/** No other scheme, because a page links to it, and no password. */
function isLink(value: string): boolean {
  const parsed = /^(?:https?:\/\/|mailto:)[^\s\p{Cc}]+$/iu.test(value) ? URL.parse(value) : null;
  return parsed !== null && parsed.username === "" && parsed.password === "";
}
