import { z } from "zod";
import { changes, id, line, text } from "../../platform/http/validate.ts";
import { defaultMenu, menuEntrySchema, menuSchema, newMenuSchema } from "./menu.ts";
import { findForeignURL } from "./custom-css.ts";

const language = line(35)
  .refine(isLanguage, { error: 'must be a language tag like "en" or "pt-BR"' })
  .meta({ description: "The language of the site, as a BCP 47 tag.", example: "en" });

/** Each is a folder of `web/themes/`. */
export const themeNames = ["magazine", "gallery", "plain"] as const;
export type ThemeName = (typeof themeNames)[number];

const signupRoles = ["author", "reader", "closed"] as const;
export type SignupRole = (typeof signupRoles)[number];

const passwordRules = ["any", "strong"] as const;
export type PasswordRule = (typeof passwordRules)[number];

const fields = {
  siteName: line(100).meta({ description: "The name of the site.", example: "Vitrine" }),
  tagline: text(300).meta({ description: "A sentence below the name.", example: "" }),
  language,
  theme: z.enum(themeNames).meta({ description: "How the pages of the site look.", example: "magazine" }),
  accentColour: line(7)
    .regex(/^#[\da-f]{6}$/i, { error: 'must be a colour like "#8a2846"' })
    .nullable()
    .meta({
      description:
        "The colour of links and buttons, instead of that of the theme. Where texts in it would be hard to read, it is shown darker, or lighter in dark mode. Null for the colour of the theme.",
      example: null,
    }),
  customCSS: text(100_000)
    .refine((css) => findForeignURL(css) === null, {
      error: (issue) => `must not load anything from elsewhere: ${findForeignURL(String(issue.input))} is not allowed`,
    })
    .meta({
      description:
        "Styles that are added to the pages of the site. They cannot load anything from elsewhere: `@import` is refused, and `url()` takes only paths of this site and `data:` URLs.",
      example: "",
    }),
  defaultVisibility: z
    .enum(["public", "private"])
    .meta({ description: "The visibility of new records for which none is sent.", example: "public" }),
  originalVisibility: z.enum(["same", "private"]).meta({
    description:
      "Who can see the files of photos. `same`: whoever sees the photo, because a change of a photo's visibility changes its file's as well. `private`: only the owner and admins, whoever sees the photo. `private` applies to new photos and whenever a photo's visibility is set; files that are public before that stay public until then.",
    example: "same",
  }),
  menu: newMenuSchema,
  footer: text(2000).meta({
    description:
      "The text at the bottom of each page. Blank lines separate paragraphs; `[text](address)` and web addresses are links. Blank: the tagline.",
    example: "",
  }),
  signupRole: z
    .enum(signupRoles)
    .meta({ description: "The role of new accounts; `closed` disables sign-up.", example: "author" }),
  passwordRule: z.enum(passwordRules).meta({
    description:
      "Which passwords are accepted. `strong`: those with at least 8 characters that are not easy to guess. `any`: all of 1 to 256 characters, with a warning for one that is not strong. Admins need a strong one in any case. It becomes `strong` with the first admin.",
    example: "strong",
  }),
  factorRoles: z
    .array(z.enum(["reader", "author", "admin"]))
    .max(3)
    .meta({
      description:
        "The roles that need a second factor. Whoever has such a role and no second factor can only set one up or sign out, and their app keys stop until then. Only an admin who has one can add a role.",
      example: [],
    }),
  approveFirstComments: z.boolean().meta({
    description: "Whether the comments of an account wait for approval until one of them has been approved.",
    example: false,
  }),
  photoComments: z.boolean().meta({
    description:
      "Whether photos and albums have comments, as posts do. Switched off, those that exist are seen only by their authors, the owners of the photos and albums, and admins.",
    example: false,
  }),
  hearts: z.boolean().meta({
    description: "Whether everyone can give a heart to posts, photos and albums, with or without an account.",
    example: false,
  }),
  newsletter: z.boolean().meta({
    description:
      "Whether visitors can subscribe to new posts by e-mail. It can be switched on only where `SMTP_URL` is set.",
    example: false,
  }),
  webmentions: z.boolean().meta({
    description:
      "Whether other sites are told of public posts that link to them, and can tell this one of pages that link to its posts, photos and albums (Webmention). Such a page is read by the server, and shown as a comment once it was approved. Sending needs `BASE_URL`.",
    example: false,
  }),
  webSubHub: line(500)
    .refine(isHub, { error: "must be an address that begins with https:// or http://, without a password" })
    .nullable()
    .meta({
      description:
        "A WebSub hub, which the feeds name and which is told when they change, so that feed readers know at once. It needs `BASE_URL`. Null for none.",
      example: null,
    }),
  backupEvery: z.enum(["never", "day", "week"]).meta({
    description: "How often the server makes a backup by itself, if `BACKUP_TO` says where.",
    example: "day",
  }),
  backupsKept: z
    .object({
      days: z.int().min(0).max(1000),
      weeks: z.int().min(0).max(1000),
      months: z.int().min(0).max(1000),
    })
    .meta({
      description:
        "After a backup of its own, the server removes those that are neither the newest of one of this many last days, weeks or months, nor the newest of all.",
      example: { days: 7, weeks: 4, months: 12 },
    }),
  mapTiles: z
    .object({
      url: line(500)
        .refine(isTileURL, {
          error: "must be an https address with {z}, {x} and {y}, such as https://tiles.example/{z}/{x}/{y}.png",
        })
        .meta({ example: "https://tiles.example/{z}/{x}/{y}.png" }),
      attribution: line(300).meta({ description: "Whom the map names as its source.", example: "© Tiles Example" }),
    })
    .nullable()
    .meta({
      description:
        "A server of map tiles, for maps with streets. The browsers of visitors load them from there, so that server learns their addresses and which part of the map they look at. Without it, the map shows the outlines of countries, and nothing is loaded from elsewhere.",
      example: null,
    }),
  iconFileID: id().nullable().meta({
    description:
      "The picture that browsers show for the site. It must be public; only the middle of it is shown, as a square.",
    example: null,
  }),
  logoPhotoID: id().nullable().meta({
    description:
      "The photo that the header of each page shows as the logo. A wide one replaces the name of the site, any other stands beside it. It is shown only while the photo is public. Null for none.",
    example: null,
  }),
  coverPhotoID: id().nullable().meta({
    description:
      "The photo behind the name of the site on the front page, which its cards in social networks also show. It is shown only while the photo is public. Null for none.",
    example: null,
  }),
};

const names = Object.keys(fields) as [SettingName, ...SettingName[]];

export const settingsSchema = z
  .object({
    ...fields,
    menu: menuSchema,
    defaultMenu: z
      .array(menuEntrySchema)
      .meta({ description: "The menu of a new site. It cannot be changed.", example: [] }),
    fromEnvironment: z.array(z.enum(names)).meta({
      description: "Settings that an environment variable has set. They cannot be changed here.",
      example: [],
    }),
  })
  .meta({ id: "Settings" });

export const settingsChangesSchema = changes(fields).meta({ id: "SettingsChanges" });

export type SettingName = keyof typeof fields;
export type SettingsChanges = z.output<typeof settingsChangesSchema>;
export type Settings = Omit<z.output<typeof settingsSchema>, "defaultMenu" | "fromEnvironment">;

export const defaults: Settings = {
  siteName: "Vitrine",
  tagline: "",
  language: "en",
  theme: "magazine",
  accentColour: null,
  customCSS: "",
  defaultVisibility: "public",
  originalVisibility: "same",
  menu: defaultMenu,
  footer: "",
  signupRole: "author",
  passwordRule: "any",
  factorRoles: [],
  approveFirstComments: false,
  photoComments: false,
  hearts: false,
  newsletter: false,
  webmentions: false,
  webSubHub: null,
  backupEvery: "day",
  backupsKept: { days: 7, weeks: 4, months: 12 },
  mapTiles: null,
  iconFileID: null,
  logoPhotoID: null,
  coverPhotoID: null,
};

function isTileURL(template: string): boolean {
  const url = URL.parse(template);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "" || /[{}]/.test(url.host)) return false;
  return ["{z}", "{x}", "{y}"].every((part) => template.includes(part));
}

function isHub(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
