import {
  blob,
  created,
  flag,
  id,
  local,
  number,
  owner,
  table,
  text,
  time,
  updated,
} from "../../platform/database/table.ts";

export const shareTables = [
  table(
    "shares",
    {
      id: id(),
      owner_id: owner(),
      kind: text("`photo`, `album`, `post`, `file` or `directory`"),
      record_id: number("the number of the record"),
      token_hash: text("the SHA-256 of the secret part of the link, which itself is not known"),
      allow_download: flag("whether originals can be downloaded"),
      allow_upload: flag("whether guests can send pictures"),
      show_metadata: flag("whether camera and place are shown"),
      expires_at: time("when it expires"),
      uses: number("how often it was opened"),
      last_used_at: time("when it was last opened"),
      uploads: number("how many pictures guests have sent with it"),
      created_at: created(),
      updated_at: updated(),
      password_hash: local("a secret; `hasPassword` says whether there is one"),
    },
    {
      exported: {
        file: "shares",
        about: "Links to records.",
        further: { hasPassword: "whether it has a password, which is not exported" },
      },
    },
  ),
  table(
    "share_uploads",
    {
      id: id(),
      share_id: number("the link: a number in `shares`"),
      owner_id: owner("who decides about it"),
      name: text("its name"),
      guest_name: text("the name that the guest gave"),
      sha256: blob("the SHA-256 of its bytes", {
        size: "size",
        counts: "reserved",
        label: (row) => `'upload ' || ${row}.id || ' to share ' || ${row}.share_id`,
      }),
      size: number("its bytes"),
      content_type: text("its type, such as `image/jpeg`"),
      created_at: created(),
    },
    {
      exported: {
        file: "guest-pictures",
        about: "Pictures from guests that wait for approval.",
        further: { path: "its path in the export" },
      },
    },
  ),
];
