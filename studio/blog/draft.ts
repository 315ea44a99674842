import { excerptOf, type PostChanges, type PostWithHTML, slugOf } from "../../client/src/index.ts";
import { untitled } from "./texts.ts";

/** What can be edited of a post. */
export type Draft = {
  /** It never changes after the post was created. */
  kind: "post" | "page";
  title: string;
  content: string;
  /** Empty: the beginning of the content. */
  excerpt: string;
  tags: string[];
  coverID: number | null;
  slug: string;
  visibility: "public" | "private";
  commentsOpen: boolean;
};

export type Field = Exclude<keyof Draft, "kind">;

export const emptyDraft: Draft = {
  kind: "post",
  title: "",
  content: "",
  excerpt: "",
  tags: [],
  coverID: null,
  slug: "",
  visibility: "public",
  commentsOpen: true,
};

/** A page has no comments. */
export const newDraft = (kind: Draft["kind"]): Draft => ({ ...emptyDraft, kind, commentsOpen: kind === "post" });

export const fields = Object.keys(emptyDraft).filter((name): name is Field => name !== "kind");

export function draftOf(post: PostWithHTML): Draft {
  const { kind, title, content, excerpt, tags, coverID, slug, visibility, commentsOpen } = post;
  return {
    kind,
    title: untitled.includes(title) ? "" : title,
    content,
    excerpt: excerpt === excerptOf(content) ? "" : excerpt,
    tags,
    coverID,
    slug,
    visibility,
    commentsOpen,
  };
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other));

export const differentFields = (one: Draft, other: Draft): Field[] =>
  fields.filter((field) => !isSame(one[field], other[field]));

/** What to send, so that a post which is `base` becomes `draft`. A post cannot be without title and text. */
export function changesOf(base: Draft, draft: Draft): PostChanges {
  const changed = differentFields(base, draft).filter((field) => !isUnfit(draft, field));
  return {
    ...Object.fromEntries(changed.map((field) => [field, draft[field]])),
    ...(changed.includes("title") && { title: draft.title.trim() || untitled[0] }),
    ...(changed.includes("excerpt") && { excerpt: draft.excerpt.trim() || null }),
  };
}

const isUnfit = (draft: Draft, field: Field): boolean =>
  (field === "content" && isBlank(draft.content)) || (field === "slug" && draft.slug === "");

export const isBlank = (text: string): boolean => text.trim() === "";

/**
 * Changes that others have made since `base`. Those of fields that were not edited here are to be taken; those of
 * fields that were also changed here are conflicts.
 */
export function compareWithTheirs(
  base: Draft,
  mine: Draft,
  theirs: Draft,
): { taken: Partial<Draft>; conflicts: Field[] } {
  const theirChanges = differentFields(base, theirs);
  const mineToo = new Set(differentFields(base, mine));
  const taken = theirChanges.filter((field) => !mineToo.has(field));
  return {
    taken: Object.fromEntries(taken.map((field) => [field, theirs[field]])),
    conflicts: theirChanges.filter((field) => mineToo.has(field) && !isSame(mine[field], theirs[field])),
  };
}

/** Whether the slug was made from a title, and not chosen. */
function isSlugOfTitle(slug: string, title: string): boolean {
  const titles = title === "" ? untitled : [title];
  const made = new Set(titles.flatMap((name) => slugOf(name) || ["post", "page"]));
  return made.has(slug) || made.has(slug.replace(/-\d+$/, ""));
}

/**
 * The slugs to try for a draft whose title has changed, the best first. None if its slug was chosen, or if it
 * still fits.
 */
export function slugsFor(base: Draft, draft: Draft): string[] {
  const wanted = slugOf(draft.title);
  const isChosen = draft.slug !== base.slug || !isSlugOfTitle(base.slug, base.title);
  if (wanted === "" || isChosen || isSlugOfTitle(base.slug, draft.title)) return [];
  return [wanted, ...["2", "3", "4", "5"].map((number) => `${wanted}-${number}`)];
}

/** Where the post is on the site. */
export const pathOf = ({ kind, slug }: Pick<Draft, "kind" | "slug">): string =>
  `${kind === "page" ? "" : "/blog"}/${slug}`;

export type Status = "draft" | "scheduled" | "published";

export function statusOf({ publishedAt }: { publishedAt: string | null }): Status {
  if (publishedAt === null) return "draft";
  return Date.parse(publishedAt) > Date.now() ? "scheduled" : "published";
}
