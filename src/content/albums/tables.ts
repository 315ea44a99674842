import {
  created,
  derived,
  fromOthers,
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
  table("album_counts", {}, { key: ["album_id", "seen_by"], without: fromOthers }),
  // Counted by the triggers of the other database.
  table("album_blocks", {}, { key: ["album_id", "size", "block", "seen_by"], isTemporary: true }),
];
