import {
  blob,
  created,
  flag,
  fromOthers,
  hash,
  id,
  json,
  number,
  owner,
  ref,
  table,
  tags,
  text,
  time,
  title,
  trash,
  updated,
  visibility,
} from "../../platform/database/table.ts";

export const photosTable = table(
  "photos",
  {
    id: id(),
    owner_id: owner(),
    trash_id: trash(),
    file_id: ref("file", "the file that it shows", {
      isNeeded: true,
      lost: {
        table: "files",
        where: "child.trash_id IS NULL",
        repair: "delete these photos, or choose another file for them",
      },
    }),
    title: title("its title"),
    is_untitled: flag("whether the title is only the name of a file"),
    description: text("its description"),
    alt_text: text("what the picture shows, for people who cannot see it"),
    tags: tags(),
    is_favourite: flag("whether it is a favourite of its owner"),
    is_private: visibility(),
    width: number("in pixels"),
    height: number("in pixels"),
    taken_at: time("when it was taken; by the clock of the camera, unless corrected"),
    taken_at_set: time("the corrected time; null if it was not corrected"),
    taken_at_zone: text("the time zone of the camera's clock; null if the owner has set none"),
    place: json("the corrected place; null if it was not corrected"),
    location_shown_at: time("since when everyone may see the place; null if nobody else may"),
    kind: text("`image` or `video`"),
    camera_key: text("the camera, for finding"),
    sized_sha256: hash("the file of which the size was read"),
    poster_sha256: blob("the poster that was sent for a video", {
      size: "poster_size",
      counts: "stored",
      label: (row) => `'poster of photo ' || ${row}.id`,
      part: { field: "posters", description: "Pictures that were sent as posters of videos." },
    }),
    poster_size: number("its bytes"),
    edits: json("how it is turned and cropped"),
    is_cropped: flag("whether it shows less than its file"),
    closed_file_id: ref("file", "the file that was made private because of that"),
    compared_at: time("when it was compared for duplicates"),
    created_at: created(),
    updated_at: updated(),
  },
  {
    exported: {
      file: "photos",
      about: "Photos and videos.",
      further: {
        sidecarPath: "the path of its XMP sidecar; null if the file has that of another photo",
        posterPath: "the path of the poster",
      },
    },
  },
);

const without = fromOthers;

export const photoTables = [
  photosTable,
  table("photo_lists", {}, { key: ["photo_id", "list"], without }),
  table(
    "photo_pairs",
    {
      one_id: ref("photo", "a number in `photos`"),
      other_id: ref("photo", "the photo that looks the same"),
      owner_id: owner(),
      dismissed_at: time("when the owner said that both are wanted"),
    },
    { key: ["one_id", "other_id"], exported: { file: "duplicates", about: "Photos that look alike." } },
  ),
  table("photo_months", {}, { key: ["owner_id", "is_private", "month", "lane"], without }),
  table("photo_places", {}, { key: ["photo_id"], without }),
  table("photo_areas", {}, { key: ["owner_id", "level", "x", "y", "lane"], without }),
];
