// Runs on the embedded engines only: what is read of the sources does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { itemsOf, readSource, treeOf } from "../../../tests/kit/trees.ts";
import { recognise } from "../kinds.ts";
import { facebookKind } from "./facebook.ts";
import { instagramKind } from "./instagram.ts";
import { repair } from "./meta-json.ts";

type Files = Record<string, string>;

/** As Meta writes it: each byte of UTF-8 as a character of its own. */
const broken = (text: string) => Buffer.from(text).toString("latin1");
const picture = (uri: string, more: object = {}) => ({ uri, creation_timestamp: 1_600_000_000, title: "", ...more });
const exif = (row: object) => ({ media_metadata: { photo_metadata: { exif_data: [{}, row] } } });
const nameOf = async (files: Files) => {
  const { nameOf: name, kind } = await recognise(treeOf(files));
  return name?.(treeOf(files), undefined as never).then((found) => `${kind}: ${found}`);
};

test("texts are repaired where they are broken, and nowhere else", () => {
  const texts = ["Café 🌊", "Ελλάδα", "plain", "日本 and Ü"];
  expect(texts.map((text) => repair(broken(text)))).toEqual(texts);
  for (const right of ["Café", "Ü", "日本", "Ã"]) expect(repair(right)).toBe(right);
  expect(repair(`Already ✓ and ${broken("é")}`)).toBe("Already ✓ and é");
  expect(repair("\xe2\x80")).toBe("\xe2\x80");
});

describe("Instagram", () => {
  const at = "your_instagram_activity";
  const files: Files = {
    [`${at}/media/posts_1.json`]: JSON.stringify([
      {
        title: broken("Am Meer 🌊\n#meer *und* mehr"),
        creation_timestamp: 1_600_000_100,
        media: [
          picture("media/posts/202009/2.jpg", { title: "The second", ...exif({ latitude: 38.7, longitude: -9.1 }) }),
          picture("media/posts/202009/3.mp4"),
        ],
      },
      { media: [picture("media/posts/202009/1.jpg", { title: broken("Früh") })] },
      { media: [picture("media/posts/202009/lost.jpg")] },
      { media: "nothing" },
    ]),
    [`${at}/media/stories.json`]: JSON.stringify({ ig_stories: [picture("media/stories/202009/4.jpg")] }),
    [`${at}/messages/inbox/ada/message_1.json`]: "{}",
    [`${at}/messages/inbox/ada/photos/5.jpg`]: "x",
    [`${at}/likes/liked_posts.json`]: "{}",
    "ads_information/ads_viewed.json": "{}",
    "connections/followers_and_following/following.json": "{}",
    "personal_information/personal_information.json": "{}",
    ...Object.fromEntries(
      ["1.jpg", "2.jpg", "3.mp4", "of-nobody.jpg"].map((name) => [`media/posts/202009/${name}`, name]),
    ),
    "media/stories/202009/4.jpg": "4",
  };

  test("posts with their pictures, captions, dates and places, in albums; everything private, and what is left out counted", async () => {
    expect(await nameOf(files)).toBe("instagram: Instagram");
    const { all, posts: _, notes, refused } = await itemsOf(instagramKind, files);
    const posts = all.filter((item) => item.kind === "post");
    expect(posts.map(({ title, content, publishedAt, cover }) => [title, content, publishedAt, cover])).toEqual([
      ["Früh", "![](import:media%2Fposts%2F202009%2F1.jpg)", 1_600_000_000_000, "media/posts/202009/1.jpg"],
      [
        "Am Meer 🌊",
        "Am Meer 🌊\\\n#meer \\*und\\* mehr\n\n![](import:media%2Fposts%2F202009%2F2.jpg)\n\n![](import:media%2Fposts%2F202009%2F3.mp4)",
        1_600_000_100_000,
        "media/posts/202009/2.jpg",
      ],
    ]);
    const { photos, albums, inAlbum } = await readSource(instagramKind, treeOf(files));
    expect(photos["posts/202009/2.jpg"]).toEqual({
      title: "The second",
      description: "The second",
      place: { latitude: 38.7, longitude: -9.1, name: null },
      visibility: "private",
      momentTaken: 1_600_000_000_000,
      isTimeRough: true,
    });
    expect(photos["posts/202009/1.jpg"]).toMatchObject({ title: "Früh", description: "Früh" });
    expect(photos["posts/202009/of-nobody.jpg"]).toEqual({ visibility: "private" });
    expect(albums.map(({ name, parent }) => [name, parent])).toEqual([
      ["Instagram", null],
      ["Posts", "Instagram"],
      ["Stories", "Instagram"],
    ]);
    expect(inAlbum("Instagram/Posts")).toEqual(["posts/202009/1.jpg", "posts/202009/2.jpg", "posts/202009/3.mp4"]);
    expect(all.every((item) => !("visibility" in item) || item.visibility === "private")).toBeTrue();
    expect(refused).toEqual([
      `${at}/media/posts_1.json: 1 of its entries cannot be read.`,
      "pictures and videos: 1 missing: give all archives of the export to one command.",
    ]);
    expect(notes).toEqual([
      "posts without text and picture: 1 not taken.",
      "messages: 2 files are not taken.",
      "advertising data: 1 file is not taken.",
      "contacts: 1 file is not taken.",
      "comments and likes: 1 file is not taken.",
      "other data of the account: 1 file is not taken.",
    ]);
    // Every file of the source is a file here, was read, or is counted.
    expect(all.filter(({ kind }) => kind === "file").length + 2 + 6).toBe(Object.keys(files).length);
  });

  test("posts as they are listed since 2025 are taken once, if they are in both lists", async () => {
    const media = [picture("media/posts/202501/1.jpg")];
    const labels = (...values: object[]) => ({ timestamp: 1_700_000_000, label_values: values });
    const { all, refused } = await itemsOf(instagramKind, {
      [`${at}/media/posts.json`]: JSON.stringify([
        labels({ label: "Caption", value: broken("Über") }, { label: "Medien", media }),
        labels({ label: "Caption", value: "Two" }, { label: "Medien", media: [picture("media/posts/202501/2.jpg")] }),
        labels({ label: "Caption", value: "A text" }),
      ]),
      [`${at}/media/posts_1.json`]: JSON.stringify([{ media, creation_timestamp: 1_600_000_000 }]),
      "media/posts/202501/1.jpg": "x",
      "media/posts/202501/2.jpg": "x",
    });
    const posts = all.flatMap((item) => (item.kind === "post" ? [[item.title, item.content]] : []));
    expect(posts).toEqual([
      ["Über", "![](import:media%2Fposts%2F202501%2F1.jpg)"],
      ["Two", "![](import:media%2Fposts%2F202501%2F2.jpg)"],
      ["A text", "A text"],
    ]);
    expect(refused).toEqual([]);
  });

  test("a part without the list of posts, and the form in HTML, are named and refused", async () => {
    expect(nameOf({ "media/posts/202009/1.jpg": "x" })).rejects.toThrow("give all of its archives");
    expect(nameOf({ [`${at}/media/posts_1.html`]: "x" })).rejects.toThrow("choose the format JSON");
    expect(await nameOf({ "mine/content/posts_1.json": "[]" })).toBe("instagram: Instagram");
  });
});

describe("Facebook", () => {
  const at = "your_facebook_activity/posts";
  const trip = `${at}/media/Trip_1`;
  const post = (text: string, ...attached: object[]) => ({
    timestamp: 1_500_000_000,
    title: "Ada updated her status.",
    data: [{ update_timestamp: 1 }, ...(text ? [{ post: broken(text) }] : [])],
    attachments: [{ data: attached }],
  });
  const files: Files = {
    [`${at}/your_posts__check_ins__photos_and_videos_1.json`]: JSON.stringify([
      post("Grüße an @[100:2048:Eve Jones]\n\n<b>", { media: picture(`${trip}/1.jpg`) }),
      post(
        "",
        { place: { name: broken("Café Zürich"), coordinate: { latitude: 47.4, longitude: 8.5 } } },
        { media: picture(`${trip}/2.jpg`) },
      ),
      post("", { external_context: { url: "https://example.org/a_b", name: "Read (this)" } }),
      post("", { external_context: { url: "javascript:alert(1)", name: "Not this" } }),
      post("", { life_event: { title: "Moved", description: "At last", place: { name: "Bern" } } }),
      post(""),
    ]),
    [`${at}/album/0.json`]: JSON.stringify({
      name: broken("Zürich"),
      description: "By train",
      cover_photo: picture(`${trip}/2.jpg`),
      photos: [
        picture(`${trip}/3.jpg`, {
          description: broken("Schön"),
          comments: [{ comment: "Nice", author: "Eve" }],
          ...exif({ taken_timestamp: 1_400_000_000, latitude: 47.4, longitude: 8.5 }),
        }),
        picture(`${trip}/2.jpg`),
      ],
    }),
    [`${at}/your_videos.json`]: JSON.stringify({
      videos_v2: [picture(`${at}/media/videos/v.mp4`, { description: "Moving" })],
    }),
    "your_facebook_activity/messages/inbox/eve/message_1.json": "{}",
    "your_facebook_activity/messages/stickers_used/1.png": "x",
    [`${at}/places_you_have_been_tagged_in.json`]: "{}",
    ...Object.fromEntries(["1.jpg", "2.jpg", "3.jpg"].map((name) => [`${trip}/${name}`, name])),
    [`${at}/media/videos/v.mp4`]: "v",
  };

  test("posts, albums and pictures with what is said of them; everything private, and what is left out counted", async () => {
    expect(await nameOf(files)).toBe("facebook: Facebook");
    const { all, notes, refused } = await itemsOf(facebookKind, files);
    expect(all.flatMap((item) => (item.kind === "post" ? [[item.title, item.content]] : []))).toEqual([
      [
        "Grüße an Eve Jones",
        "Grüße an Eve Jones\n\n\\<b>\n\n![](import:your_facebook_activity%2Fposts%2Fmedia%2FTrip_1%2F1.jpg)",
      ],
      ["Café Zürich", "![](import:your_facebook_activity%2Fposts%2Fmedia%2FTrip_1%2F2.jpg)\n\nCafé Zürich"],
      ["Read (this)", "[Read (this)](https://example.org/a_b)"],
      ["Moved", "Moved\n\nAt last\n\nBern"],
    ]);
    const { photos, albums, inAlbum } = await readSource(facebookKind, treeOf(files));
    expect(photos["Trip_1/3.jpg"]).toMatchObject({
      title: "Schön",
      momentTaken: 1_400_000_000_000,
      clockTaken: 1_400_007_200_000,
      place: { latitude: 47.4, longitude: 8.5 },
    });
    expect(photos["Trip_1/2.jpg"]?.place).toEqual({ latitude: 47.4, longitude: 8.5, name: "Café Zürich" });
    expect(photos["videos/v.mp4"]).toMatchObject({ description: "Moving" });
    expect(albums.map(({ name, description, parent }) => [name, description, parent])).toEqual([
      ["Facebook", "", null],
      ["Zürich", "By train", "Facebook"],
    ]);
    expect(inAlbum(`${at}/album/0.json`)).toEqual(["Trip_1/3.jpg", "Trip_1/2.jpg (cover)"]);
    expect(all.every((item) => !("visibility" in item) || item.visibility === "private")).toBeTrue();
    expect(refused).toEqual([]);
    expect(notes).toEqual([
      "posts without text and picture: 2 not taken.",
      "comments on pictures: 1 not taken: their authors have no accounts here.",
      "messages: 2 files are not taken.",
      "other data of the account: 1 file is not taken.",
    ]);
  });

  test("the layout of before 2022, an unreadable list, and the form in HTML", async () => {
    const old = {
      "posts/your_posts_1.json": "[{",
      "photos_and_videos/album/1.json": JSON.stringify({
        name: "Old",
        photos: [picture("photos_and_videos/Old_1/1.jpg")],
      }),
      "photos_and_videos/Old_1/1.jpg": "x",
    };
    expect(await nameOf(old)).toBe("facebook: Facebook");
    const { files: found, refused } = await itemsOf(facebookKind, old);
    expect(Object.keys(found)).toEqual(["Old_1/1.jpg"]);
    expect(refused).toEqual([expect.stringMatching(/^posts\/your_posts_1\.json: It cannot be read: /)]);
    expect(nameOf({ [`${at}/album/0.html`]: "x" })).rejects.toThrow("in HTML");
  });
});
