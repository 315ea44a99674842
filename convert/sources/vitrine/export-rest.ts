import type { ExportedRecord, ReadExport } from "../../../src/platform/archives/vitrine-export.ts";
import { note, type ReportItem } from "../items.ts";

type Kind = { file: string; what: string; why?: string; isOne?: (record: ExportedRecord) => boolean };

/** What has no place in another site, or only one that nobody but its people can give it. */
const kinds: Kind[] = [
  { file: "hearts", what: "hearts", why: "they belong to those who have given them there" },
  { file: "shares", what: "share links", why: "their addresses are those of that site. Share again here" },
  { file: "guest-pictures", what: "pictures of guests that wait for approval" },
  { file: "versions", what: "earlier contents of files" },
  { file: "revisions", what: "earlier texts of posts" },
  { file: "photos", what: "posters of videos", isOne: ({ posterSha256 }) => posterSha256 != null },
  {
    file: "profiles",
    what: "portraits",
    why: "people choose them here",
    isOne: ({ portraitID }) => portraitID != null,
  },
  { file: "duplicates", what: "decisions about duplicates", isOne: ({ dismissedAt }) => dismissedAt != null },
  { file: "approved-commenters", what: "people whose comments are shown at once", why: "approve them here" },
  { file: "trash", what: "entries of the trash" },
  { file: "settings", what: "settings, the menu among them", why: "this site has its own" },
  { file: "webhooks", what: "webhooks" },
  { file: "activity", what: "entries of the activity" },
];

/** A line for each of these kinds of which an export has something. */
export async function* listRest(site: ReadExport): AsyncGenerator<ReportItem> {
  for (const { file, what, why, isOne = () => true } of kinds) {
    let count = 0;
    for await (const record of site.read(file)) if (isOne(record)) count++;
    if (count > 0) yield note(what, `${count} not taken${why ? `: ${why}` : ""}.`);
  }
}
