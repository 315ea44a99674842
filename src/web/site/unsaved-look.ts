import { z } from "zod";
import { type Settings, themeNames } from "../../core/settings/settings.ts";

/** Of settings that are not saved: "" for none. Without a parameter, what is saved applies. */
const accentColour = z
  .string()
  .regex(/^(?:#[\da-f]{6})?$/i)
  .optional();
const photoID = z
  .string()
  .regex(/^(?:[1-9]\d{0,14})?$/)
  .optional();

/** How the site would look, for previews in the studio. */
export const previewQuery = z.object({ accentColour, logoPhotoID: photoID, coverPhotoID: photoID });

export function readPreview(query: z.output<typeof previewQuery>): Partial<Settings> {
  const { accentColour, logoPhotoID, coverPhotoID } = query;
  return {
    ...(accentColour !== undefined && { accentColour: accentColour || null }),
    ...(logoPhotoID !== undefined && { logoPhotoID: Number(logoPhotoID) || null }),
    ...(coverPhotoID !== undefined && { coverPhotoID: Number(coverPhotoID) || null }),
  };
}

/** The styles of a preview. Its frame sends no cookies, so everyone may read them: they contain nothing but the parameters and what is public. */
export const stylesQuery = z.object({ v: z.string().optional(), theme: z.enum(themeNames).optional(), accentColour });

export const previewStylesURL = ({ theme, accentColour }: Settings): string =>
  `/custom.css?theme=${theme}&accentColour=${encodeURIComponent(accentColour ?? "")}`;
