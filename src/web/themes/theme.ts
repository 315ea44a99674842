/** How a theme arranges pages; its `theme.css` says how they look. */
export type Theme = {
  /** The front page: one post large and others beside it, photos first, or a plain list of posts. */
  home: "lead" | "pictures" | "list";
};
