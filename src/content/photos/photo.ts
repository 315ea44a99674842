import { z } from "zod";
import { fileSchema } from "../files/file.ts";
import { editsSchema } from "./edits.ts";
import { exifSchema, placeSchema, variantSchema } from "../../core/images/image.ts";
import { messageSchema } from "../../platform/http/message.ts";
import { changes, id, line, nullAs, text, unlessNull } from "../../platform/http/validate.ts";
import { isZone } from "../../platform/zone-clock.ts";
import type { Texts } from "../../platform/search/documents.ts";
import { newTagsSchema, tagsSchema } from "../../core/records/tags.ts";
import { visibilitySchema } from "../../core/records/visibility.ts";

export const longestTitle = 300;
const title = line(longestTitle).meta({ example: "Harbour at dusk" });
const description = text(20_000).meta({ example: "The last ferry of the day." });
const altText = text(2000).meta({
  description: "What the picture shows, for people who cannot see it.",
  example: "A ferry leaves a harbour at dusk.",
});
const fileID = id().meta({ example: 3 });
const showLocation = z
  .boolean()
  .meta({ description: "Whether everyone can see where the photo was taken.", example: false });
const isFavourite = z
  .boolean()
  .meta({ description: "Whether it is a favourite of its owner. For everyone else this is false.", example: false });
const original = z.enum(["keep"]).meta({
  description:
    "Leaves the photo's file as it is. Without it, `visibility` applies to the file as well if it belongs to the owner of the photo, unless another public record of the owner uses it. A new photo never makes its file public.",
  example: "keep",
});
const pixels = () => z.int().min(1).max(1_000_000).meta({ example: 1600 });

const [earliest, latest] = [Date.UTC(1000, 0), Date.UTC(10_000, 0) - 1];
export const isPossibleDate = (time: number) => time >= earliest && time <= latest;

/** The time that the owner says. Without a time zone it would mean nothing. */
const takenAt = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-06-12T20:41:07Z, or null" })
  .refine((time) => isPossibleDate(Date.parse(time)), { error: "must be between the years 1000 and 9999" })
  .nullable()
  .meta({
    description: "Corrects the time in the file; null removes the correction.",
    example: "2026-06-12T20:41:07.000Z",
  });

const place = z
  .object({
    latitude: z.number({ error: "must be a number" }).min(-90).max(90),
    longitude: z.number({ error: "must be a number" }).min(-180).max(180),
    name: line(300).nullish(),
  })
  .nullable()
  .meta({
    description: "Corrects the place in the file; null removes the correction. `showLocation` decides who can see it.",
    example: { latitude: 38.7071, longitude: -9.1355, name: "Lisboa, Portugal" },
  });

export type SentPlace = NonNullable<z.output<typeof place>>;

export const photoSchema = z
  .object({
    id: z.int(),
    title,
    isUntitled: z.boolean().meta({
      description:
        "Whether the title is only the name of the file, because nobody has sent one. The site then shows the date instead of it.",
      example: false,
    }),
    description,
    altText,
    tags: tagsSchema,
    isFavourite,
    fileID: fileID.nullable().meta({ description: "Null if you may not see the file.", example: 3 }),
    width: pixels(),
    height: pixels(),
    takenAt: z.iso.datetime().nullable().meta({
      description:
        "The time of the camera's clock, unless the owner has corrected it; without a time zone it is assumed to be UTC. Null if it is not known, and if the file belongs to another user.",
      example: "2026-06-12T20:41:07.000Z",
    }),
    takenAtZone: z.string().nullable().meta({
      description:
        "The time zone of the camera's clock, as the owner has set it, or else as the file says. Null if neither does, and for everyone who may not change the photo.",
      example: "Europe/Lisbon",
    }),
    place: placeSchema.nullable().meta({
      description: "As the owner has corrected it, or else from the file. Visible as `showLocation` says.",
      example: null,
    }),
    exif: exifSchema.nullable(),
    showLocation,
    thumbhash: z.string().nullable().meta({
      description: "A blurred preview (ThumbHash) of about 25 bytes, in Base64.",
      example: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
    }),
    isPreparing: z.boolean().meta({
      description:
        "Whether the picture is still being prepared: then there is no `thumbhash`, and `variants` is empty. An event tells when it is there.",
      example: false,
    }),
    isCutOff: z.boolean().meta({
      description: "Whether the file ends early or is damaged, so that only a part of the picture is shown.",
      example: false,
    }),
    variants: z.array(variantSchema).meta({ description: "The picture in several widths, for a `srcset`." }),
    kind: z.enum(["image", "video"]),
    duration: z.number().nullable().meta({
      description: "The duration of a video in seconds; null for images, and if it is not known.",
      example: null,
    }),
    poster: z.enum(["frame", "sent"]).nullable().meta({
      description:
        "What `variants` of a video show: a frame of it, or the picture that was sent. Null for images, and while a video has neither.",
      example: null,
    }),
    motion: z
      .object({ url: z.string(), duration: z.number().meta({ description: "In seconds." }) })
      .nullable()
      .meta({ description: "The video in a motion photo.", example: null }),
    edits: editsSchema.nullable().meta({
      description:
        "How the picture is turned and cropped; `width`, `height`, `thumbhash` and `variants` are of the edited picture. Null if it is not edited, and for everyone who may not change the photo.",
      example: null,
    }),
    visibility: visibilitySchema,
    ownerID: z.int(),
    file: fileSchema.nullable().meta({
      description:
        "Null while the file is in the trash, or if you may not see it: the file of a cropped photo is only for those who may change the photo.",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Photo" });

export type Photo = z.output<typeof photoSchema>;

/** The texts by which search finds a photo, as it is presented to a viewer. */
export function photoTexts({ title, description, altText, tags, exif, place }: Photo): Texts {
  const texts = [description, altText, ...tags, exif?.make, exif?.model, exif?.lens, place?.name];
  return { title, text: texts.filter(Boolean).join(" · ") };
}

export const newPhotoSchema = z
  .object({
    title,
    description: nullAs("", description),
    altText: altText.default(""),
    tags: newTagsSchema.default([]),
    isFavourite: isFavourite.default(false),
    fileID,
    width: unlessNull(pixels()),
    height: unlessNull(pixels()),
    takenAt: takenAt.default(null),
    place: place.default(null),
    showLocation: showLocation.default(false),
    visibility: visibilitySchema.optional(),
    original: original.optional(),
  })
  .meta({
    id: "NewPhoto",
    description: "`width` and `height` may be omitted if the server can read them from the image or the video.",
  });

export type NewPhoto = z.output<typeof newPhotoSchema>;

/** What nobody has given a title is named like its file. */
export const newPhotoOfFileSchema = newPhotoSchema
  .extend({
    title: title.optional().meta({ description: "Without it, the name of the file, and `isUntitled` is true." }),
  })
  .meta({ id: "NewPhotoOfFile", description: "As `NewPhoto`; the title may be omitted." });

export type NewPhotoOfFile = z.output<typeof newPhotoOfFileSchema>;

/** Fields that many photos can be given at once. */
const commonChanges = {
  title,
  description: unlessNull(description),
  altText,
  tags: newTagsSchema,
  isFavourite,
  takenAt,
  place,
  showLocation,
  visibility: visibilitySchema,
  original,
};

const hasVisibility = (sent: { visibility?: unknown; original?: unknown }) =>
  sent.original === undefined || sent.visibility !== undefined;
const needsVisibility = { error: '"original" can only be sent with "visibility".' };

const edits = editsSchema.nullable().meta({
  description:
    "Turns and crops the picture; null shows it as it is in the file. The file itself is not changed. With a crop, it becomes private if it belongs to the owner of the photo, unless another public record of the owner uses it, and is public again without the crop. A photo that gets another file loses its edits, unless others are sent.",
  example: null,
});

export const photoChangesSchema = changes({
  ...commonChanges,
  fileID,
  width: unlessNull(pixels()),
  height: unlessNull(pixels()),
  edits,
})
  .refine(hasVisibility, needsVisibility)
  .meta({ id: "PhotoChanges" });

export const zoneSchema = z
  .string()
  .max(60)
  .refine(isZone, { error: "must be a time zone such as Europe/Lisbon or +02:00" });

const longestShift = 200 * 366 * 86_400;

export const sharedChangesSchema = changes({
  ...commonChanges,
  takenAtShift: z.int().min(-longestShift).max(longestShift).meta({
    description: "Seconds that are added to `takenAt`, for a camera whose clock was wrong.",
    example: 3600,
  }),
  takenAtZone: zoneSchema.nullable().meta({
    description:
      "The time zone of the camera's clock, such as `Europe/Lisbon` or `+02:00`; null: not known, read as UTC. `takenAt` becomes the time at which a clock in this zone showed what the camera's clock did, however often it is set. It stays as it is if the file says its zone, or if `takenAt` is sent as well.",
    example: "Europe/Lisbon",
  }),
})
  .refine(hasVisibility, needsVisibility)
  .refine(({ takenAtShift, takenAtZone }) => takenAtShift === undefined || takenAtZone === undefined, {
    error: 'Send "takenAtShift" or "takenAtZone", not both.',
  })
  .refine(({ takenAt, takenAtZone }) => takenAt !== null || takenAtZone == null, {
    error: '"takenAtZone" cannot be sent with a "takenAt" that is null.',
  })
  .meta({ id: "SharedPhotoChanges" });

export type PhotoChanges = z.output<typeof photoChangesSchema>;
export type SharedChanges = z.output<typeof sharedChangesSchema>;

/** What has become of a photo's file. */
export const originalSchema = z.enum(["public", "private", "trashed"]).nullable().meta({
  description:
    "What the photo's file is now: `trashed` with the photo, or still `public` or `private` because something else uses it or because that was not asked for. Null if the file does not belong to the owner of the photo, or was in the trash before.",
  example: null,
});

export const deletedPhotoSchema = messageSchema
  .extend({ file: originalSchema.optional() })
  .meta({ id: "DeletedPhoto", description: "`file` is present if the request said `withFile=true`." });

/** `harbour_at-dusk.jpg` → `harbour at-dusk`; a name that is only an extension is not changed. */
export function titleFrom(name: string): string {
  return (
    name
      .replace(/(?<=.)\.[^.]{1,10}$/, "")
      .replaceAll("_", " ")
      .trim() || name
  );
}

/** What a viewer gets to whom a grant shows no metadata. */
export const withoutMetadata = (photo: Photo): Photo => ({
  ...photo,
  takenAt: null,
  takenAtZone: null,
  place: null,
  exif: null,
});
