import { isOwnPath } from "../../../src/core/redirects/address.ts";
import { addTo, type CommentItem, type Item, note, type RedirectItem } from "../items.ts";
import { type Exported, type RecordReader, toSitePost } from "./exported.ts";
import { recordKey } from "./site.ts";
import { pathOfPost, type PostContext, toComment, toPost } from "./to-posts.ts";

/** Redirects of an earlier site, by what they lead to. */
type OldAddresses = {
  files: Map<number, string[]>;
  posts: Map<number, string[]>;
  others: RedirectItem[];
  /** How many lead to photos and albums, which get other ids here only after the import. */
  left: number;
};

export async function readOldAddresses(records: RecordReader): Promise<OldAddresses> {
  const found: OldAddresses = { files: new Map(), posts: new Map(), others: [], left: 0 };
  for await (const { address, kind, recordID, target } of records.read("redirects")) {
    if (kind === "post" && recordID !== null) addTo(found.posts, recordID, address);
    else if (kind === "file" && recordID !== null) addTo(found.files, recordID, address);
    else if (kind === "tag" && target) found.others.push(toRedirect(address, { tag: target }));
    else if (kind === "path" && target && isOwnPath(target))
      found.others.push(toRedirect(address, { path: target as `/${string}` }));
    else found.left++;
  }
  for await (const { slug, postID } of records.read("slugs")) addTo(found.posts, postID, slug);
  return found;
}

const toRedirect = (key: string, to: RedirectItem["to"]): RedirectItem => ({ kind: "redirect", key, to });

type Context = PostContext & {
  records: RecordReader;
  /** By the ids of posts: addresses, which begin with a slash, and earlier slugs. */
  addresses: OldAddresses["posts"];
  /** The keys of those that are taken. */
  albums: ReadonlySet<string>;
};

/** Posts and pages, oldest first, then all comments on them; people come before what they have written. */
export async function* listExportedPosts({ records, addresses, albums, ...context }: Context): AsyncGenerator<Item> {
  const people = await readPeople(records);
  const named = new Set<number>();
  function* introduce(id: number): Generator<Item> {
    const person = people.get(id);
    if (person && !named.has(id)) yield person;
    named.add(id);
  }
  const taken = new Set<number>();
  for await (const record of records.read("posts")) {
    const post = toSitePost(record);
    yield* introduce(record.ownerID);
    const item = toPost(post, context);
    const earlier = (addresses.get(post.id) ?? []).map((one) =>
      one.startsWith("/") ? one : pathOfPost(post.kind, one),
    );
    const oldAddresses = [...new Set([...item.oldAddresses, ...earlier])];
    yield { ...item, oldAddresses, author: people.get(record.ownerID)?.key ?? null };
    if (post.kind === "post") taken.add(post.id);
  }
  let lost = 0;
  for await (const comment of records.read("comments")) {
    const on = targetOf(comment, { posts: taken, photos: context.shown, albums });
    if (!on) lost++;
    if (!on) continue;
    yield* introduce(comment.ownerID);
    yield toComment(comment, on, authorOf(comment, people.get(comment.ownerID)?.key));
  }
  if (lost > 0)
    yield note("comments", `${lost} not taken: they are on pages, or on what is in the trash or not in the export.`);
}

type Taken = { posts: ReadonlySet<number>; photos: PostContext["shown"]; albums: ReadonlySet<string> };

function targetOf(
  { postID, photoID, albumID }: Exported<"comments">,
  { posts, photos, albums }: Taken,
): CommentItem["on"] | null {
  if (postID !== null) return posts.has(postID) ? { kind: "post", key: recordKey("post", postID) } : null;
  const album = recordKey("album", albumID ?? 0);
  if (albumID !== null) return albums.has(album) ? { kind: "album", key: album } : null;
  const fileID = photos.get(photoID ?? 0)?.fileID;
  return fileID === undefined ? null : { kind: "file", key: recordKey("file", fileID) };
}

const authorOf = ({ ownerID }: Exported<"comments">, person: string | undefined): CommentItem["author"] =>
  person === undefined ? { name: `person ${ownerID}`, email: "" } : { person };

async function readPeople(records: RecordReader) {
  const profiles = new Map<number, Exported<"profiles">>();
  for await (const profile of records.read("profiles")) profiles.set(profile.userID, profile);
  const people = new Map<number, Extract<Item, { kind: "person" }>>();
  for await (const { id, username } of records.read("people")) {
    const { displayName = "", about = "", links = [] } = profiles.get(id) ?? {};
    const profile = { displayName: displayName.trim() || username, about, links };
    people.set(id, { kind: "person", key: recordKey("person", id), username, ...profile });
  }
  return people;
}
