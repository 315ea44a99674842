import { z } from "zod";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { nextTurn } from "../../../src/platform/event-loop.ts";
import { readJSON, usableIn } from "../files.ts";

/** Exports have about 10,000 posts in a file. */
const longestJSON = 2 ** 26;
const recordsAtOnce = 500;

const sequences = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;

/** Meta writes each byte of UTF-8 as a character of its own: `CafÃ©`. What is right already stays as it is. */
export const repair = (text: string): string =>
  text.replace(sequences, (bytes) => {
    const character = Buffer.from(bytes, "latin1").toString();
    return character.includes("\ufffd") ? bytes : character;
  });

const text = z.string().transform(repair).catch("");
const seconds = z.coerce.number().catch(0);
const degrees = z.coerce.number().optional().catch(undefined);

/** What is known of a picture is in a list, of which some have several, and in one named after its kind. */
const exifData = z
  .array(z.object({ latitude: degrees, longitude: degrees, taken_timestamp: seconds }).catch({ taken_timestamp: 0 }))
  .catch([]);
const metadata = z.object({ exif_data: exifData }).catch({ exif_data: [] });

export const mediaJSON = z.object({
  uri: z.string(),
  creation_timestamp: seconds,
  title: text,
  description: text,
  comments: z.array(z.unknown()).catch([]),
  media_metadata: z.object({ photo_metadata: metadata, video_metadata: metadata }).optional().catch(undefined),
});
export type Media = z.output<typeof mediaJSON>;

const instagramPost = z.object({ media: z.array(mediaJSON).min(1), title: text, creation_timestamp: seconds });
/** Since 2025, a post may be a list of things with labels in the language of the person. */
const labelledPost = z
  .object({
    timestamp: seconds,
    label_values: z.array(z.object({ label: text, value: text, media: usableIn(mediaJSON) })),
  })
  .transform(({ timestamp, label_values: values }) => ({
    media: values.flatMap(({ media }) => media),
    title: values.find(({ label }) => label === "Caption")?.value ?? "",
    creation_timestamp: timestamp,
  }));
/** A story is no post, but a picture. */
export const instagramEntry = instagramPost.or(labelledPost).or(
  mediaJSON.transform((media) => ({
    media: [media],
    title: media.title,
    creation_timestamp: media.creation_timestamp,
  })),
);
export type InstagramEntry = z.output<typeof instagramEntry>;

const place = z.object({
  name: text,
  coordinate: z.object({ latitude: z.coerce.number(), longitude: z.coerce.number() }).optional().catch(undefined),
});
export type Place = z.output<typeof place>;

const lifeEvent = z.object({ title: text, description: text, place: place.optional().catch(undefined) });
const attachment = z.object({
  text: text.optional(),
  life_event: lifeEvent.optional().catch(undefined),
  media: mediaJSON.optional().catch(undefined),
  place: place.optional().catch(undefined),
  external_context: z.object({ url: text, name: text }).optional().catch(undefined),
});
export const facebookPost = z.object({
  timestamp: seconds,
  data: usableIn(z.object({ post: text, backdated_timestamp: seconds })),
  attachments: usableIn(z.object({ data: usableIn(attachment) })),
});
export type FacebookPost = z.output<typeof facebookPost>;

export const facebookAlbum = z.object({
  name: text,
  description: text,
  photos: z.array(z.unknown()),
  cover_photo: z.object({ uri: z.string() }).optional().catch(undefined),
});

/** The records of a file, which is a list, or has one under some name. */
export async function readRecords<Schema extends z.ZodType>(
  file: TreeFile,
  schema: Schema,
): Promise<{ records: z.output<Schema>[]; unreadable: number }> {
  const content: unknown = await readJSON(file, longestJSON);
  const list = Array.isArray(content) ? content : Object.values(content ?? {}).find(Array.isArray);
  if (!list) throw new Error("there is no list in it.");
  const records: z.output<Schema>[] = [];
  for (const [index, one] of list.entries()) {
    if (index % recordsAtOnce === 0) await nextTurn();
    const { data, success } = schema.safeParse(one);
    if (success) records.push(data);
  }
  return { records, unreadable: list.length - records.length };
}

export async function readRecord<Schema extends z.ZodType>(file: TreeFile, schema: Schema): Promise<z.output<Schema>> {
  return schema.parse(await readJSON(file, longestJSON));
}
