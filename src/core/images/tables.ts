import { flag, hash, json, number, table, text, time } from "../../platform/database/table.ts";

export const imageTables = [
  table(
    "images",
    {
      sha256: hash("the SHA-256 of the file", { table: "files", column: "sha256" }),
      width: number("in pixels"),
      height: number("in pixels"),
      taken_at: time("by the clock of the camera"),
      read_at: time("when the file was read"),
      thumbhash: text("a blurred preview (ThumbHash), in Base64"),
      failure: text("why it cannot be read"),
      camera: json("what the camera wrote about itself"),
      place: json("the place in the file"),
      clean_sha256: hash("the SHA-256 of what everyone may download, without private data"),
      clean_size: number("its bytes"),
      clean: text("how it is made from the file"),
      reader: number("the version of the program that read it"),
      withheld: number("whether it is only for its owner"),
      duration: number("of a video, in milliseconds"),
      motion_duration: number("of the video in a motion photo"),
      motion: text("its position in the file"),
      look_high: number("what it looks like, as a number"),
      look_low: number("the same, the second half"),
      is_cut_off: flag("whether the end of the file is missing, so that a part is shown"),
      taken_at_zone: text("the time zone of that clock; null if the file does not say it"),
    },
    {
      key: ["sha256"],
      exported: {
        file: "pictures",
        about: "What was read from pictures and videos.",
      },
    },
  ),
  table(
    "public_name_keys",
    {
      purpose: text("`pictures`"),
      secret: text("keeps the addresses of pictures the same in the next site"),
    },
    {
      key: ["purpose"],
      exported: { file: "picture-keys", about: "A random number." },
      contradictions: [
        {
          where: "length(child.secret) <> 64 OR ltrim(child.secret, '0123456789abcdef') <> ''",
          what: "with a damaged secret",
          repair: "delete the row: the next start writes another one, and the addresses of pictures change",
        },
      ],
    },
  ),
];
