import { setPhotos } from "../../src/content/albums/album-photos.ts";
import { insertAlbum } from "../../src/content/albums/store.ts";
import { newPostSchema } from "../../src/content/blog/post.ts";
import { insertPost } from "../../src/content/blog/write.ts";
import { insertComment } from "../../src/content/comments/store.ts";
import { readConfig } from "../../src/config.ts";
import { openEngines } from "../../src/engines.ts";
import { type Directory, toDirectory, root } from "../../src/content/files/rows.ts";
import { kindsOf, reactionsOf, schemaOf } from "../../src/module.ts";
import { modules } from "../../src/modules.ts";
import { createTrash } from "../../src/core/trash/store.ts";
import { insertFile } from "../../src/content/files/store.ts";
import { insertImage } from "../../src/core/images/store.ts";
import { insertPhoto } from "../../src/content/photos/store.ts";
import { trashPhoto } from "../../src/content/photos/trash.ts";
import { hashPassword } from "../../src/platform/auth/passwords.ts";
import type { Blobs } from "../../src/platform/blobs/blobs.ts";
import type { Queries } from "../../src/platform/database/database.ts";
import { addUser } from "../../src/core/users/store.ts";
import { photo } from "../operations.ts";
import { image, indexAll } from "../fill.ts";

/** Not the password in the API's examples, which some attacks send. */
export const user = { username: "bench", password: "another horse battery" };

const perTransaction = 100;
export const longName = "n".repeat(240);

/** The ids that the attacks need. */
export type Site = Awaited<ReturnType<typeof fillSite>>;

/** A site with as much data as an author can add within the limits. */
export async function fillSite(env: Record<string, string>) {
  const { db, blobs, close } = await openEngines(readConfig(env), schemaOf(modules));
  const owner = await addUser(db, user.username, { hash: await hashPassword(user.password), warning: null }, "author");
  const ownerID = owner.id;
  const trash = createTrash(kindsOf(modules), reactionsOf(modules));
  const content = { ...(await keepBlob(blobs, "bytes")), contentType: "text/plain" };

  // The first ids are directories, so that an attack that creates a photo from file 3, as in the API's examples, is
  // refused.
  const copied = await addDirectory(root, "copied");
  const tree = await addDirectory(root, "tree");
  const crowded = await addDirectory(root, "crowded");
  const importable = await addDirectory(root, "import");
  await add(9000, (tx, number) => addFile(tx, copied, `${number}.txt`));
  await add(5000, async (tx, number) => {
    const branch = await insertFile(tx, { directory: tree, name: String(number), ownerID, content: null });
    await addFile(tx, toDirectory(branch), "leaf.txt");
  });
  await add(20_000, (tx, number) => addFile(tx, crowded, `${number} ${longName}.txt`));
  await add(2000, async (tx, number) => {
    const picture = { sha256: number.toString(16).padStart(64, "0"), size: 1000, contentType: "image/jpeg" };
    await insertImage(tx, image(picture.sha256));
    await insertFile(tx, { directory: importable, name: `${number}.jpg`, ownerID, content: picture });
  });
  await add(1, (tx) => addFile(tx, root, "x.txt"));
  await add(54, (tx, number) => addFile(tx, root, `x (${2 ** (number - 1)}).txt`));

  let deepest = root;
  for (let level = 1; level < 63; level++) deepest = await addDirectory(deepest, longName);
  await add(1000, (tx, number) => addFile(tx, deepest, `${number}.txt`));

  const [post = 0, discussed = 0] = await add(2, async (tx) => {
    return (await insertPost(tx, owner, newPostSchema.parse({ title: "Post", content: "a" }), null)).id;
  });
  const [comment = 0] = await add(2000, async (tx) => {
    return (
      await insertComment(tx, owner, { blogPostID: discussed, parentID: null, content: "A long remark. ".repeat(330) })
    ).id;
  });

  const [deepFile = 0] = await add(1, (tx) => addFile(tx, deepest, "photo.txt"));
  await add(1000, (tx) => addPhoto(tx, deepFile, { title: "t".repeat(300), description: "d ".repeat(10_000) }));
  const deletedIDs = await add(2000, (tx, number) => addPhoto(tx, deepFile, photo(number)));
  const [shared = 0] = await add(1, (tx) => addFile(tx, root, "shared.txt"));
  const photoIDs = await add(10_000, (tx, number) => addPhoto(tx, shared, photo(number)));
  const [album = 0, other = 0, emptied = 0] = await add(
    3,
    async (tx) => (await insertAlbum(tx, owner, { name: "Album" })).id,
  );
  await db.transaction((tx) => setPhotos(tx, owner, album, photoIDs));
  await db.transaction((tx) => setPhotos(tx, owner, emptied, deletedIDs));
  await add(deletedIDs.length, (tx, number) => trashPhoto(tx, trash, deletedIDs[number - 1] as number, ownerID));

  await indexAll(db);
  await close();
  return { copied: copied.id, tree: tree.id, post, discussed, comment, shared, photoIDs, album, other };

  async function addDirectory(directory: Directory, name: string): Promise<Directory> {
    return toDirectory(await db.transaction((tx) => insertFile(tx, { directory, name, ownerID, content: null })));
  }

  async function addFile(tx: Queries, directory: Directory, name: string): Promise<number> {
    return (await insertFile(tx, { directory, name, ownerID, content })).id;
  }

  async function addPhoto(tx: Queries, fileID: number, texts: { title: string; description: string }): Promise<number> {
    const size = { width: 1600, height: 1200 };
    return (await insertPhoto(tx, owner, { ...texts, ...size, fileID, showLocation: false })).id;
  }

  /** Adds records number 1 to `count`, many per transaction. */
  async function add<Result>(count: number, insert: (tx: Queries, number: number) => Promise<Result>) {
    const results: Result[] = [];
    while (results.length < count) {
      const last = Math.min(results.length + perTransaction, count);
      const some = await db.transaction(async (tx) => {
        const inserted: Result[] = [];
        for (let number = results.length + 1; number <= last; number++) inserted.push(await insert(tx, number));
        return inserted;
      });
      results.push(...some);
    }
    return results;
  }
}

async function keepBlob(blobs: Blobs, text: string): Promise<{ sha256: string; size: number }> {
  const received = await blobs.receive(new Blob([text]).stream());
  await received.keep();
  return received;
}
