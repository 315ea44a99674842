import { count } from "../../platform/database/counts.ts";
import {
  created,
  derived,
  id,
  json,
  number,
  owner,
  partOf,
  ref,
  table,
  text,
  title,
  trash,
  updated,
  visibility,
} from "../../platform/database/table.ts";

export const albumsTable = table(
  "albums",
  {
    id: id(),
    owner_id: owner(),
    trash_id: trash(),
    parent_id: ref("album", "the album that contains it"),
    position: number("its place among others"),
    name: title("its name"),
    description: text("its description"),
    cover_photo_id: ref("photo", "its cover: a number in `photos`; null for the first photo"),
    photo_order: text("how its photos are sorted"),
    filter: json("the conditions of a smart album; null for others"),
    is_private: visibility(),
    created_at: created(),
    updated_at: updated(),
  },
  {
    exported: { file: "albums", about: "Albums." },
    // An album whose parent was deleted is one without a parent.
    tree: {
      parent: "parent_id",
      isRoot:
        "child.parent_id IS NULL OR NOT EXISTS (SELECT 1 FROM albums AS parent WHERE parent.id = child.parent_id)",
    },
  },
);

const album_id = (row: string) => `${row}.album_id`;
const seen_by = (row: string) => `${row}.seen_by`;
const isSeen = (row: string) => `${row}.seen_by >= 0`;

const albumCounts = count("album_counts", ["album_id", "seen_by"], {
  what: "photos in albums",
  number: "photos",
  of: "album_photos",
  by: [{ album_id, seen_by }],
  where: isSeen,
  triggeredBy: ["seen_by"],
});

/**
 * `album_blocks` has the number of photos in each block of an album's order, by who sees them. A block holds the photos
 * with the same position shifted by this many bits: large blocks first, of about 16,384 photos, then those of about 256 in
 * one of them.
 */
export const blockBits = [34, 28] as const;

export const albumBlocks = count("album_blocks", ["album_id", "size", "block", "seen_by"], {
  what: "photos in blocks of albums",
  number: "photos",
  of: "album_photos",
  by: blockBits.map((bits) => ({
    album_id,
    size: () => `${bits}`,
    block: (row) => `${row}.position >> ${bits}`,
    seen_by,
  })),
  where: isSeen,
  triggeredBy: ["position", "seen_by"],
});

export const albumTables = [
  albumsTable,
  table(
    "album_photos",
    {
      album_id: partOf("albums"),
      photo_id: ref("photo", "a number in `photos`"),
      position: number("the place of the photo in the album"),
      seen_by: derived(),
    },
    {
      key: ["album_id", "photo_id"],
      exported: { file: "album-photos", about: "Which photos are in which albums, and where." },
    },
  ),
  albumCounts,
  albumBlocks,
];
