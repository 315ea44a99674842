import { type InstagramEntry, instagramEntry, type Media, readRecords } from "./meta-json.ts";
import { metaKind } from "./source.ts";

/** What is in each list, as an album, and whether its entries are posts. */
const lists: [name: RegExp, album: string, arePosts: boolean][] = [
  [/^posts(_\d+)?$/, "Posts", true],
  [/^reels$/, "Reels", true],
  [/^igtv_videos$/, "IGTV", true],
  [/^archived_posts$/, "Archived posts", true],
  [/^stories$/, "Stories", false],
  [/^profile_photos$/, "Profile photos", false],
  [/^other_content$/, "Other", false],
];
const findList = (path: string) => {
  const name = /(?:^|\/)(?:content|media)\/([^/]+)$/.exec(path)?.[1] ?? "";
  return lists.find(([one]) => one.test(name));
};
const own =
  /^([^/]+\/)?(your_instagram_activity\/|media\/(posts|stories|reels|profile|archived_posts)\/\d{6}\/|content\/(posts_\d+|stories|reels)\.(json|html)$)/;

export const instagramKind = metaKind(() => {
  const found = new Map<string, { entries: InstagramEntry[]; arePosts: boolean }>();
  return {
    kind: "instagram",
    title: "Instagram",
    own,
    hasRecords: (path) => findList(path) !== undefined,
    async read(file, name) {
      const [, album, arePosts] = findList(name) ?? lists[0]!;
      const { records, unreadable } = await readRecords(file, instagramEntry);
      const earlier = found.get(album)?.entries ?? [];
      found.set(album, { entries: [...earlier, ...records], arePosts });
      return unreadable;
    },
    finish(library) {
      for (const [name, { entries, arePosts }] of found) {
        const inOrder = withoutRepeated(entries).toSorted((one, other) => timeOf(one) - timeOf(other));
        for (const entry of inOrder) {
          if (arePosts)
            library.addPost({ text: captionOf(entry), seconds: timeOf(entry), media: withoutTitles(entry) });
          else for (const media of entry.media) library.add(media, { caption: media.title });
        }
        const media = inOrder.flatMap((entry) => entry.media);
        library.addAlbum({ key: `Instagram/${name}`, name, description: "", cover: null, media });
      }
    },
  };
});

/** Of a post that is in two lists, the one with a text. */
function withoutRepeated(entries: InstagramEntry[]): InstagramEntry[] {
  const kept = new Map<string, InstagramEntry>();
  for (const entry of entries) {
    const key = entry.media[0]?.uri ?? `${timeOf(entry)} ${entry.title}`;
    const other = kept.get(key);
    if (!other || (captionOf(other) === "" && captionOf(entry) !== "")) kept.set(key, entry);
  }
  return [...kept.values()];
}

const timeOf = ({ creation_timestamp: own, media }: InstagramEntry) => own || (media[0]?.creation_timestamp ?? 0);

/** That of a post with one picture is the title of the picture. */
const captionOf = ({ title, media }: InstagramEntry) => title || (media.length === 1 ? (media[0]?.title ?? "") : "");

/** The titles of several pictures are what is said of each. */
const withoutTitles = ({ title, media }: InstagramEntry): Media[] =>
  media.map((one) => ({ ...one, description: one.title === title ? "" : one.title }));
