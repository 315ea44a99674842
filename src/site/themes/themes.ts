/**
 * The themes, by their names in the settings. Each is a folder with a `theme.css`, which is added to the styles of the
 * site, and a choice of how lists look.
 */
export const themes = {
  magazine: { home: "lead" },
  gallery: { home: "pictures" },
  plain: { home: "list" },
} as const satisfies Record<string, Theme>;

export type Theme = {
  /** The front page: one post large and others beside it, photos first, or a plain list of posts. */
  home: "lead" | "pictures" | "list";
};

export type ThemeName = keyof typeof themes;
