import type { albumFilterSchema } from "../../../src/content/albums/filter.ts";
import type { Visibility } from "../../../src/core/records/visibility.ts";
import type { z } from "zod";

/** Records of another site, as its API sends them; an export is read as the same. */

export type SiteFile = {
  id: number;
  size: number;
  sha256: string | null;
  /** Private, too, if a directory above it is. */
  visibility: Visibility;
  updatedAt: string;
};

export type SitePhoto = {
  id: number;
  title: string;
  description: string;
  altText: string;
  tags: string[];
  isFavourite: boolean;
  fileID: number | null;
  takenAt: string | null;
  takenAtZone: string | null;
  place: { latitude: number | null; longitude: number | null; name: string | null } | null;
  showLocation: boolean;
  edits?: unknown;
  /** Of the edited picture. */
  thumbhash: string | null;
  visibility: Visibility;
};

export type SiteAlbum = {
  id: number;
  name: string;
  description: string;
  parentID: number | null;
  visibility: Visibility;
  coverPhotoID: number | null;
  photoOrder: "manual" | "oldestFirst" | "newestFirst";
  filter: z.output<typeof albumFilterSchema> | null;
};

export type SitePost = {
  id: number;
  kind: "post" | "page";
  title: string;
  slug: string;
  content: string;
  /** "" for the beginning of the content. */
  excerpt: string;
  tags: string[];
  coverID: number | null;
  visibility: Visibility;
  publishedAt: string | null;
  commentsOpen: boolean;
  createdAt: string;
  updatedAt: string;
};

export type SiteComment = {
  id: number;
  content: string;
  parentID: number | null;
  status: string;
  createdAt: string;
};

/** Nothing becomes more visible than it was. */
export type Limit = (visibility: Visibility) => Visibility;

export const limitTo =
  (wished: Visibility): Limit =>
  (visibility) =>
    wished === "private" ? "private" : visibility;

/** The keys of records, so that texts can name them. */
export const keyOf = (kind: "album" | "comment" | "file" | "person" | "post", id: number | string): string =>
  `${kind} ${id}`;
