import { usableIn } from "../files.ts";
import { keyOf } from "../items.ts";
import { type FacebookPost, facebookAlbum, facebookPost, mediaJSON, readRecord, readRecords } from "./meta-json.ts";
import { metaKind } from "./source.ts";

const isAlbum = (path: string) => /(^|\/)album\/\d+$/.test(path);
const isPosts = (path: string) => /(^|\/)posts\/(your_posts[^/]*|archive)$/.test(path);
const isPictures = (path: string) => /(^|\/)(your_uncategorized_photos|your_photos|your_videos)$/.test(path);
const own =
  /^([^/]+\/)?(your_facebook_activity\/|your_activity_across_facebook\/|posts\/(your_posts[^/]*|album\/\d+)\.(json|html)$|photos_and_videos\/(album\/\d+|your_[^/]+)\.(json|html)$)/;

export const facebookKind = metaKind(() => ({
  kind: "facebook",
  title: "Facebook",
  own,
  hasRecords: (path) => isAlbum(path) || isPosts(path) || isPictures(path),
  async read(file, name, library) {
    if (isAlbum(name)) {
      const { photos, cover_photo: cover, ...texts } = await readRecord(file, facebookAlbum);
      const media = usableIn(mediaJSON).parse(photos);
      library.addAlbum({ key: keyOf(file), ...texts, cover: cover?.uri ?? null, media });
      return photos.length - media.length;
    }
    if (isPictures(name)) {
      const { records, unreadable } = await readRecords(file, mediaJSON);
      for (const media of records) library.add(media);
      return unreadable;
    }
    const { records, unreadable } = await readRecords(file, facebookPost);
    for (const record of records) library.addPost(toPost(record));
    return unreadable;
  },
}));

/** People are named in texts as `@[100:2048:Ada]`. */
const mention = /@\[\d{1,20}:\d{1,6}:([^\]\n]{1,200})\]/g;

function toPost({ timestamp, data, attachments }: FacebookPost) {
  const attached = attachments.flatMap((one) => one.data);
  const events = attached.flatMap(({ life_event: event }) => event ?? []);
  const texts = [
    ...data.map(({ post }) => post),
    ...events.flatMap(({ title, description }) => [title, description]),
    ...attached.map(({ text = "" }) => text),
  ];
  const text = [...new Set(texts)].filter((one) => one !== "").join("\n\n");
  return {
    text: text.replace(mention, "$1"),
    seconds: data.find((one) => one.backdated_timestamp > 0)?.backdated_timestamp ?? timestamp,
    media: attached.flatMap(({ media }) => media ?? []),
    places: [...attached, ...events].flatMap(({ place }) => (place?.name ? [place] : [])),
    links: attached.flatMap(({ external_context: link }) => (link?.url ? [link] : [])),
  };
}
