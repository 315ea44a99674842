import type { Item } from "../../../src/features/imports/item.ts";
import { keyOf } from "../vitrine/site.ts";
import { type PostContext, toComment, toPost } from "../vitrine/to-posts.ts";
import type { VitrineClient } from "./vitrine-client.ts";

type Site = PostContext & { vitrine: VitrineClient; whose: string };

/** Posts and pages, oldest first, and the comments on them. */
export async function* listPosts({ vitrine, whose, ...context }: Site): AsyncGenerator<Item> {
  const people = new Set<string>();
  for (const kind of ["post", "page"] as const)
    for await (const post of vitrine.posts(whose, kind)) {
      // The excerpt that is sent may be the beginning of the content, which follows the content.
      const isOwn = !lettersOf(post.content).startsWith(lettersOf(post.excerpt));
      yield { ...toPost({ ...post, excerpt: isOwn ? post.excerpt : "" }, context), author: null };
      if (kind === "post") yield* listComments(vitrine, post.id, people);
    }
}

const lettersOf = (text: string) => text.slice(0, 5000).replace(/[^\p{L}\p{N}]+/gu, "");

/** Those who wrote them come before them. */
async function* listComments(vitrine: VitrineClient, postID: number, people: Set<string>): AsyncGenerator<Item> {
  for await (const comment of vitrine.comments(postID)) {
    const { username } = comment.author;
    const person = keyOf("person", username);
    if (!people.has(person)) {
      people.add(person);
      yield { kind: "person", key: person, username, displayName: username };
    }
    yield toComment(comment, { kind: "post", key: keyOf("post", postID) }, { person });
  }
}
