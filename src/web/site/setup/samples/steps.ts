import { readFile } from "node:fs/promises";
import { recordActivity } from "../../../../core/activity/record.ts";
import { addPhotos } from "../../../../content/albums/album-photos.ts";
import { getAlbum, insertAlbum, updateAlbum } from "../../../../content/albums/store.ts";
import { newPostSchema } from "../../../../content/blog/post.ts";
import { insertPost } from "../../../../content/blog/write.ts";
import type { Intake } from "../../../../content/files/intake.ts";
import type { Images } from "../../../../core/images/read.ts";
import { insertPhoto } from "../../../../content/photos/store.ts";
import type { Database } from "../../../../platform/database/database.ts";
import type { Caller } from "../../../../platform/http/route.ts";
import type { Renderer } from "../../../../platform/markdown/renderer.ts";
import { programRoot } from "../../../../platform/program-root.ts";
import type { Visibility } from "../../../../core/records/visibility.ts";
import type { Language } from "../../language.ts";
import type { Keep, Sample } from "./sample.ts";
import samples from "./samples.json";

/** What `samples.json` has: a dozen pictures, and titles, albums and posts in each language. The newest are the first. */
type Picture = (typeof samples.pictures)[number];
type Content = (typeof samples)[Language];

const day = 86_400_000;
const pictures = new URL("src/web/site/setup/samples/pictures/", programRoot);
/** Samples show what a site looks like, whatever new content is. */
const visibility: Visibility = "public";

/** Creates the record of this name. `known` are the records of the rounds before. */
type Step = { name: string; run(known: Sample[], keep: Keep): Promise<void> };
/** Steps that do not depend on each other. */
export type Round = { steps: Step[]; atOnce: number };

type Deps = { db: Database; intake: Intake; images: Images; renderer: Renderer };

/** What creates the samples, one step for each record. Each uses what the API uses. */
export function createRounds(
  deps: Deps,
  caller: Caller,
  { language, directory }: { language: Language; directory: string },
): Round[] {
  const { db, intake, images, renderer } = deps;
  const content = samples[language];
  const titles: Record<string, { title: string; altText: string; tags: string[] }> = content.photos;
  return [
    // While one picture is stored, another one is decoded.
    {
      steps: samples.pictures.map(({ name }) => ({ name: `file ${name}`, run: (_, keep) => createFile(name, keep) })),
      atOnce: 3,
    },
    {
      steps: newestLast(samples.pictures).map(([picture, index]) => ({
        name: `photo ${picture.name}`,
        run: (known, keep) => createPhoto(picture, index, known, keep),
      })),
      atOnce: 1,
    },
    {
      steps: content.albums.map((album, index) => ({
        name: `album ${index}`,
        run: (known, keep) => createAlbum(album, known, keep),
      })),
      atOnce: 1,
    },
    {
      steps: newestLast<Content["posts"][number]>(content.posts).map(([post, index]) => ({
        name: `post ${index}`,
        run: (known, keep) => createPost(post, known, keep),
      })),
      atOnce: 1,
    },
  ];

  async function createFile(name: string, keep: Keep): Promise<void> {
    const bytes = await readFile(new URL(`${name}.jpg`, pictures));
    const target = { path: [directory], name: `${name}.jpg`, onConflict: "rename" as const, visibility };
    const destination = { caller, target };
    await using incoming = await intake.receive({ stream: inOnePiece(bytes) }, destination);
    await intake.storeWith(incoming, destination, (tx, place) =>
      keep(tx, async () => {
        const { id, updatedAt } = await place();
        return { kind: "file", id, updatedAt };
      }),
    );
    // The photo of it has a picture from the beginning.
    await images.read({ sha256: incoming.sha256, contentType: "image/jpeg" });
  }

  async function createPhoto(picture: Picture, index: number, known: Sample[], keep: Keep): Promise<void> {
    const { name, width, height } = picture;
    const { title = name, altText = "", tags = [] } = titles[name] ?? {};
    const takenAt = new Date(Date.now() - (index * 17 + 5) * day).toISOString();
    const fileID = idOf(known, `file ${name}`);
    await db.transaction((tx) =>
      keep(tx, async () => {
        const added = { title, altText, tags, fileID, takenAt, width, height, visibility };
        const photo = await insertPhoto(tx, caller, added);
        recordActivity(tx, caller.id, "created", { ...photo, kind: "photo", name: photo.title });
        return { kind: "photo", id: photo.id, updatedAt: photo.updatedAt };
      }),
    );
  }

  async function createAlbum(
    { name, description, photos }: Content["albums"][number],
    known: Sample[],
    keep: Keep,
  ): Promise<void> {
    const ids = photos.map((photo) => idOf(known, `photo ${photo}`));
    await db.transaction((tx) =>
      keep(tx, async () => {
        const { id } = await insertAlbum(tx, caller, { name, description, visibility });
        await addPhotos(tx, id, ids);
        await updateAlbum(tx, caller, id, { coverPhotoID: ids[0] ?? null });
        const { updatedAt } = await getAlbum(tx, caller, id);
        return { kind: "album", id, updatedAt };
      }),
    );
  }

  async function createPost(
    { cover, content: lines, ...post }: Content["posts"][number],
    known: Sample[],
    keep: Keep,
  ): Promise<void> {
    // `{photo dawn}` in a text is replaced by the id of that sample.
    const text = `${lines.join("\n")}\n`.replaceAll(/\{((?:photo|album) \w+)\}/g, (_, name: string) =>
      String(idOf(known, name)),
    );
    const coverID = idOf(known, `photo ${cover}`);
    const html = await renderer.render(text, caller.id);
    const draft = newPostSchema.parse({ ...post, content: text, coverID, visibility });
    await db.transaction((tx) =>
      keep(tx, async () => {
        const { id, updatedAt } = await insertPost(tx, caller, draft, html);
        return { kind: "post", id, updatedAt };
      }),
    );
  }
}

/** With their places in the list, whose first one is the newest. */
const newestLast = <Item>(items: readonly Item[]) => items.map((item, index) => [item, index] as const).toReversed();

function idOf(known: Sample[], name: string): number {
  const found = known.find((record) => record.name === name);
  if (!found) throw new Error(`There is no sample ${name}.`);
  return found.id;
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
