import { isOwnPath } from "../../../src/core/redirects/address.ts";
import { toLine } from "../../../src/features/imports/texts.ts";
import type { CommentItem, Item, RedirectItem } from "../../../src/features/imports/item.ts";
import { type Exported, type RecordReader, toSitePost } from "./exported.ts";
import { keyOf } from "./site.ts";
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
  const add = (to: Map<number, string[]>, id: number, address: string) => {
    const others = to.get(id);
    if (others) others.push(address);
    else to.set(id, [address]);
  };
  for await (const { address, kind, recordID, target } of records.read("redirects")) {
    if (kind === "post" && recordID !== null) add(found.posts, recordID, address);
    else if (kind === "file" && recordID !== null) add(found.files, recordID, address);
    else if (kind === "tag" && target) found.others.push(toRedirect(address, { tag: toLine(target, 50) }));
    else if (kind === "path" && target && isOwnPath(target))
      found.others.push(toRedirect(address, { path: target as `/${string}` }));
    else found.left++;
  }
  for await (const { slug, postID } of records.read("slugs")) add(found.posts, postID, slug);
  return found;
}

const toRedirect = (key: string, to: RedirectItem["to"]): RedirectItem => ({ kind: "redirect", key, to });

type Context = PostContext & {
  records: RecordReader;
  /** By the ids of posts: addresses, which begin with a slash, and earlier slugs. */
  addresses: OldAddresses["posts"];
};

/** Posts and pages, oldest first, then all comments on them; people come before what they have written. */
export async function* listExportedPosts({ records, addresses, ...context }: Context): AsyncGenerator<Item> {
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
  let others = 0;
  for await (const comment of records.read("comments")) {
    if (comment.postID === null) others++;
    if (comment.postID === null || !taken.has(comment.postID)) continue;
    yield* introduce(comment.ownerID);
    yield toComment(comment, comment.postID, authorOf(comment, people.get(comment.ownerID)?.key));
  }
  if (others > 0)
    yield {
      kind: "note",
      key: "comments on photos and albums",
      reason: `${others} comments are not taken: only those on posts are.`,
    };
}

const authorOf = ({ ownerID }: Exported<"comments">, person: string | undefined): CommentItem["author"] =>
  person === undefined ? { name: `person ${ownerID}`, email: "" } : { person };

async function readPeople(records: RecordReader) {
  const names = new Map<number, string>();
  for await (const { userID, displayName } of records.read("profiles")) names.set(userID, displayName);
  const people = new Map<number, Extract<Item, { kind: "person" }>>();
  for await (const { id, username } of records.read("people")) {
    const displayName = names.get(id)?.trim() || username;
    people.set(id, { kind: "person", key: keyOf("person", id), username, displayName });
  }
  return people;
}
