// Runs on the embedded engines only: what a tree is taken for does not depend on the engines.
import { describe, expect, test } from "bun:test";
import { readItems, treeOf } from "../../tests/kit/trees.ts";
import { recognise } from "./kinds.ts";
import { takeoutKind } from "./takeout.ts";

type Files = Record<string, string>;
const kindOf = async (files: Files) => (await recognise(treeOf(files))).kind;
const empty = (paths: string[]): Files => Object.fromEntries(paths.map((path) => [path, "{}"]));
const many = (count: number, toPath: (index: number) => string) => Array.from({ length: count }, (_, at) => toPath(at));

describe("an export is recognised by its names", () => {
  const others = many(250, (at) => `Takeout/Fit/All data/${at}.json`);
  const media = many(2100, (at) => `a/${at}.jpg`);
  test.each([
    ["other products first", "takeout", [...others, "Takeout/Google Photos/x/IMG_1.jpg.supplemental-metadata.json"]],
    [
      "a name that was cut",
      "takeout",
      [...others, "Takeout/Фото/x/PXL_20230101_120000000.PORTRAIT.jpg.supplement.json"],
    ],
    ["a part with pictures alone", "takeout", ["Takeout/Google Fotos/Fotos von 2019/IMG_1.jpg"]],
    ["an unpacked part", "takeout", [...others.slice(0, 5), "Google Photos/Photos from 2019/IMG_1.jpg"]],
    [
      "many videos first",
      "immich",
      [...many(2100, (at) => `encoded-video/${at}.mp4`), "thumbs/a.webp", "upload/a.jpg"],
    ],
    ["many pictures first", "nextcloud", [...media, "ada/files/a.jpg", "ada/files_trashbin/b.jpg"]],
    ["a folder of that name", "folder", ["Takeout menus/a.json", "photos/b.jpg"]],
  ])("%s", async (_, kind, paths) => {
    expect(await kindOf(empty(paths))).toBe(kind as never);
  });

  test("what stands below many other texts: an export of Ghost, and of WordPress", async () => {
    const below = (extension: string) => empty(many(150, (at) => `content/themes/a/${at}.${extension}`));
    const ghost = JSON.stringify({ meta: { exported_on: 1, version: "5" }, data: { posts: [] } });
    expect(await kindOf({ ...below("json"), "blog.json": ghost })).toBe("ghost");
    const wxr =
      '<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version></channel></rss>';
    expect(await kindOf({ ...below("xml"), "blog.xml": wxr })).toBe("wordpress");
  });

  test("of a part with pictures alone, the pictures are taken", async () => {
    const tree = treeOf({ "Takeout/Google Photos/Photos from 2019/a.jpg": "x", "Takeout/Drive/b.jpg": "x" });
    const wish = { hasPhotos: false, hasAlbums: false, hasPeople: false, visibility: "private" as const };
    const items = await readItems(takeoutKind, tree, wish);
    expect(items.map(({ kind, key }) => [kind, key])).toEqual([
      ["note", "Takeout/Drive"],
      ["file", "Takeout/Google Photos/Photos from 2019/a.jpg"],
    ]);
  });
});

describe("a service that is known and cannot be imported is named", () => {
  test.each([
    ["X (Twitter)", ["Your archive.html", "data/account.js", "data/tweets.js", "data/tweets_media/1-a.jpg"]],
    ["X (Twitter)", ["twitter-2020/data/tweet.js", "twitter-2020/README.txt"]],
    ["Telegram", ["DataExport_2025-08-19/export_results.html", "DataExport_2025-08-19/chats/chat_001/messages.html"]],
    ["Telegram", ["result.json", "photos/photo_1@19-08-2025_10-11-12.jpg"]],
    ["Tumblr", ["payload-0.json", "posts.zip", "media/1.jpg"]],
    ["Snapchat", ["json/memories_history.json", "memories/2020-01-01_0f0f0f0f-0f0f-0f0f-0f0f-0f0f0f0f0f0f-main.jpg"]],
    ["TikTok", ["user_data_tiktok.json"]],
    ["LinkedIn", ["Connections.csv", "Profile.csv", "Rich_Media.csv"]],
    ["Discord", ["package/messages/index.json", "package/servers/index.json"]],
    ["Reddit", ["comments.csv", "subscribed_subreddits.csv"]],
    ["Spotify", ["MyData/StreamingHistory_music_0.json"]],
    ["Mastodon", ["actor.json", "outbox.json", "media_attachments/a.jpg"]],
    ["WhatsApp", ["_chat.txt", "00000001-PHOTO-2024-01-02.jpg"]],
    ["Medium", ["profile/profile.html", "posts/2019-01-01_A-title-0123456789ab.html"]],
    ["Google without Google Photos", ["Takeout/archive_browser.html", "Takeout/Keep/a.json", "Takeout/Drive/b.jpg"]],
    ["Google without Google Photos", ["archive_browser.html", "Drive/b.jpg"]],
  ])("%s", async (title, paths) => {
    const tree = treeOf(empty(paths));
    const refusal = `It is an export of ${title}, which cannot be imported`;
    expect(recognise(tree)).rejects.toThrow(refusal);
    expect((await recognise(tree, true)).kind).toBe("folder");
  });

  test("but not a folder that has one among other things", async () => {
    expect(await kindOf(empty(["old/twitter/data/tweets.js", "a.jpg", "notes/_chat.txt", "notes/b.txt"]))).toBe(
      "folder",
    );
  });
});
