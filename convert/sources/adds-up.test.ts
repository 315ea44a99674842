// Runs on the embedded engines only: what is read of the source does not depend on the engines.
import { expect, test } from "bun:test";
import { readSource, treeOf } from "../../tests/kit/trees.ts";
import { appleKind } from "./apple.ts";
import { flickrKind } from "./flickr.ts";
import { ghostKind } from "./ghost/ghost.ts";

const json = (value: unknown) => JSON.stringify(value);

test("of a copy of iCloud Photos, everything is taken, or counted in a line", async () => {
  const header = "imgName,fileChecksum,favorite,hidden,deleted,originalCreationDate\n";
  const files = {
    "Part 1/Photos/Photo Details.csv": `${header}IMG_1.JPG,x,no,no,no,\nIMG_2.JPG,x,no,no,no,\nIMG_3.JPG,x,no,no,yes,\n`,
    "Part 1/Photos/IMG_1.JPG": "x",
    "Part 1/Recently Deleted/IMG_8.JPG": "x",
    "Part 1/Recently Deleted/IMG_9.JPG": "x",
    "Part 1/Memories/Day.csv": "Images\nIMG_1.JPG\n",
  };
  const { photos, refused } = await readSource(appleKind, treeOf(files));
  expect(Object.keys(photos)).toEqual(["IMG_1.JPG"]);
  expect(refused.toSorted()).toEqual([
    "Photo Details.csv: 1 of the pictures in it is not here: give all parts of the copy to one command.",
    "note: Part 1/Memories: 1 file of memories: not taken, because Apple puts them together anew.",
    "note: Part 1/Recently Deleted: 2 files deleted in iCloud Photos: not taken.",
  ]);
});

test("of an export of Flickr, everything is taken, or counted in a line", async () => {
  const files = {
    "photo_10001.json": json({ id: 10001, date_taken: "2019-01-01 10:00:00", privacy: "public" }),
    "photo_10002.json": json({ id: 10002, date_taken: "2019-01-01 10:00:00" }),
    "photo_10003.json": json({ other: true }),
    "albums.json": json({ albums: [{ id: "1", title: "Sea", photos: ["10001", "10009"] }, "odd"] }),
    "followers.json": "{}",
    "harbour_10001_o.jpg": "x",
  };
  const { photos, albums, refused } = await readSource(flickrKind, treeOf(files));
  expect([Object.keys(photos), albums.length]).toEqual([["harbour_10001_o.jpg"], 1]);
  expect(refused.toSorted()).toEqual([
    "albums.json: 1 of its albums has not the form that Flickr writes.",
    "note: others: 1 files about other things are not taken: followers.json.",
    "photo_10003.json: It has not the form in which Flickr describes a photo.",
    "pictures: 1 of 2 photos have no picture here: give all archives of the export to one command.",
  ]);
});

test("of an export of Ghost, every post and file is taken, or counted in a line", async () => {
  const data = {
    posts: [{ id: "1", slug: "one", status: "published", html: "<p>x</p>" }, { title: "Without a number" }, "odd"],
  };
  const files = {
    "ghost.json": json({ meta: { version: "5" }, data }),
    "content/images/2019/a.jpg": "smaller",
    "content/images/2019/a_o.jpg": "x",
    "content/images/size/w600/2019/a.jpg": "x",
    "content/themes/casper/index.hbs": "x",
    "routes.yaml": "x",
  };
  const { photos, refused } = await readSource(ghostKind, treeOf(files));
  expect(Object.keys(photos)).toEqual(["images/2019/a.jpg"]);
  expect(refused.toSorted()).toEqual([
    "ghost.json: 2 of its posts have not the form that Ghost writes.",
    "note: other files: 2 are not taken, such as content/themes/casper/index.hbs.",
    "note: smaller pictures: 2 that Ghost has made of others are not taken.",
  ]);
});
