import { beforeEach, describe, expect, test } from "bun:test";
import type { PostWithHTML } from "../../client/src/index.ts";
import { createManualClock } from "../../tests/kit/manual-clock.ts";
import { useSite } from "../../tests/studio/site.ts";
import type { Kept } from "../lib/account.ts";
import { type Copy, createCopies } from "./copies.ts";
import type { Draft } from "./draft.ts";
import { createPostRequests } from "./post-requests.ts";
import { openWriting, type Writing } from "./writing.ts";
import { until } from "../../tests/kit/until.ts";

const site = useSite();
let storage: Map<string, string>;
let held: Set<string>;
let clock: ReturnType<typeof createManualClock>;
let isFull: boolean;
let tab: { onHidden: () => void; onOnline: () => void };

beforeEach(() => {
  [storage, held, clock, isFull] = [new Map(), new Set(), createManualClock(), false];
});

const kept: Kept = {
  get: (name) => storage.get(name) ?? null,
  set: (name, text) => !isFull && Boolean(storage.set(name, text)),
  remove: (name) => void storage.delete(name),
  list: (prefix) => [...storage.keys()].filter((name) => name.startsWith(prefix)),
};
const locks = {
  request: async (name: string, work: () => Promise<void>) => {
    held.add(name);
    await work();
    held.delete(name);
  },
  query: async () => ({ held: [...held].map((name) => ({ name })) }),
} as unknown as LockManager;
const copies = createCopies(kept, () => locks);

/** Opens the editor in a tab. What is typed is the whole text. */
function open(post: PostWithHTML | null, copy: Copy | null = null, posts = createPostRequests(site.connect())) {
  const created: PostWithHTML[] = [];
  const device = {
    posts,
    copies,
    clock,
    watch: (handlers: typeof tab) => void (tab = handlers),
  };
  const writing = openWriting(post ?? "post", copy, (one) => created.push(one), device);
  const close = writing.start();
  return { writing, close, created, type: (content: string) => writing.change({ content }) };
}

const kindOf = (writing: Writing) => writing.snapshot().saving.kind;

const untilKind = (writing: Writing, kind: string) =>
  until(
    () => kindOf(writing),
    (found) => found === kind,
  );

async function createPost(more: object = {}): Promise<PostWithHTML> {
  return read(await site.elsewhere.createPost({ title: "Ferries", content: "One.", publishedAt: null, ...more }));
}
const read = async ({ id }: { id: number }) => site.elsewhere.readPost({ id });
const requests = () => site.sent().length;

describe("a text that is being written", () => {
  test("is kept on the device at once, saved after a pause, and then no longer kept", async () => {
    const { writing, created, type } = open(null);
    type("It was late.");
    expect([kindOf(writing), copies.list()]).toEqual(["changed", []]);
    clock.pass(300);
    expect(copies.list().map(({ draft, postID }) => [draft.content, postID])).toEqual([["It was late.", null]]);
    const before = requests();
    clock.pass(1699);
    expect(requests()).toBe(before);
    clock.pass(1);
    await untilKind(writing, "saved");
    expect(created).toHaveLength(1);
    expect(await read(created[0]!)).toMatchObject({ content: "It was late.", publishedAt: null });
    expect(copies.list()).toEqual([]);
  });

  test("is saved once for many keys, and then at most every ten seconds", async () => {
    const post = await createPost();
    const { writing, type } = open(post);
    for (const text of ["One. T", "One. Tw", "One. Two."]) {
      type(text);
      clock.pass(1000);
    }
    clock.pass(1000);
    await untilKind(writing, "saved");
    type("One. Two. Three.");
    clock.pass(9000);
    expect([kindOf(writing), (await read(post)).content]).toEqual(["changed", "One. Two."]);
    clock.pass(1000);
    await untilKind(writing, "saved");
    expect((await read(post)).content).toBe("One. Two. Three.");
    expect((await site.elsewhere.listRevisions({ id: post.id })).items).toHaveLength(3);
  });

  test("is kept, but not shown to readers of a published post until somebody says so", async () => {
    const post = await createPost({ publishedAt: "2026-01-01T00:00:00Z" });
    const { writing, type } = open(post);
    type("One, corrected.");
    clock.pass(20_000);
    await untilKind(writing, "kept");
    expect((await read(post)).content).toBe("One.");
    expect(copies.list()).toHaveLength(1);
    await writing.save();
    expect([(await read(post)).content, copies.list()]).toEqual(["One, corrected.", []]);
  });

  test("a new post without a text is kept only, and a removed text is not saved", async () => {
    const fresh = open(null);
    fresh.writing.change({ title: "Only a title" });
    clock.pass(5000);
    await untilKind(fresh.writing, "kept");
    expect(copies.list().map(({ draft }) => draft.title)).toEqual(["Only a title"]);
    const post = await createPost();
    const { writing, type } = open(post);
    type("  ");
    clock.pass(20_000);
    await untilKind(writing, "kept");
    expect((await read(post)).content).toBe("One.");
  });

  test("is kept when the tab is hidden, and says so if the device is full", async () => {
    const { writing, type } = open(await createPost());
    type("In a tunnel");
    tab.onHidden();
    expect(copies.list()).toHaveLength(1);
    isFull = true;
    type("In a long tunnel");
    clock.pass(300);
    expect(kindOf(writing)).toBe("full");
  });

  test("is the text of the server again after it was discarded, which can be undone", async () => {
    const { writing, type } = open(await createPost());
    type("Rubbish");
    clock.pass(300);
    const discarded = writing.discard();
    expect([writing.draft().content, copies.list()]).toEqual(["One.", []]);
    writing.change(discarded);
    expect(writing.draft().content).toBe("Rubbish");
  });
});

describe("after a crash", () => {
  test("the text is offered, but not in another tab while the editor is open, and saved when it is continued", async () => {
    const post = await createPost();
    const crashed = open(post);
    crashed.type("Not saved yet");
    clock.pass(300);
    expect(await copies.find(post.id)).toEqual([]);
    // The browser releases the locks of the tab; nothing else of it happens.
    held.clear();
    const [copy] = await copies.find(post.id);
    expect([copy?.draft.content, await copies.find(null)]).toEqual(["Not saved yet", []]);
    const { writing } = open(post, copy);
    expect(writing.draft().content).toBe("Not saved yet");
    clock.pass(2000);
    await untilKind(writing, "saved");
    expect([(await read(post)).content, copies.list()]).toEqual(["Not saved yet", []]);
  });

  test("a text that was changed elsewhere meanwhile is a conflict, and nothing is overwritten", async () => {
    const post = await createPost();
    open(post).type("Mine");
    clock.pass(300);
    held.clear();
    await site.elsewhere.changePost({ id: post.id, content: "Theirs" });
    const [copy] = await copies.find(post.id);
    const { writing } = open(await read(post), copy);
    expect(kindOf(writing)).toBe("conflict");
    clock.pass(60_000);
    expect([(await read(post)).content, copies.list().length]).toEqual(["Theirs", 1]);
  });

  test("a copy that cannot be read is not offered, and hides no others", async () => {
    open(null).type("Readable");
    clock.pass(300);
    held.clear();
    storage.set("post-copy:broken", "{");
    expect((await copies.find(null)).map(({ draft }) => draft.content)).toEqual(["Readable"]);
  });
});

describe("a post that somebody else changes at the same time", () => {
  test("gets the changes of both, if they are in different fields", async () => {
    const post = await createPost();
    const { writing, type } = open(post);
    type("My text");
    await site.elsewhere.changePost({ id: post.id, title: "Their title", tags: ["sea"] });
    clock.pass(2000);
    await untilKind(writing, "changed");
    clock.pass(2000);
    await untilKind(writing, "saved");
    expect(await read(post)).toMatchObject({ title: "Their title", tags: ["sea"], content: "My text" });
  });

  test("is a conflict in the same field, until a person decides", async () => {
    const post = await createPost();
    const { writing, type } = open(post);
    type("Mine");
    await site.elsewhere.changePost({ id: post.id, content: "Theirs" });
    clock.pass(2000);
    await untilKind(writing, "conflict");
    expect([(await read(post)).content, writing.draft().content, copies.list().length]).toEqual(["Theirs", "Mine", 1]);
    type("Mine, and more");
    clock.pass(60_000);
    expect((await read(post)).content).toBe("Theirs");
    writing.settle({ content: "Both" });
    clock.pass(12_000);
    await untilKind(writing, "saved");
    expect([(await read(post)).content, copies.list()]).toEqual(["Both", []]);
  });

  test("is a conflict also for a post that was opened without a network, and otherwise saved", async () => {
    const post = await createPost();
    // As the device keeps it: without what the client knows of it.
    const { writing, type } = open({ ...post });
    type("One. Two.");
    expect((await writing.save())?.content).toBe("One. Two.");
    const { writing: other, type: typeThere } = open({ ...post });
    typeThere("One. Three.");
    await other.save();
    expect(kindOf(other)).toBe("conflict");
    expect((await read(post)).content).toBe("One. Two.");
  });

  test("is one conflict, also if the change is heard of twice", async () => {
    const post = await createPost();
    const requests = createPostRequests(site.connect());
    const { writing, type } = open(post, null, { ...requests, read: readTwice });
    type("Mine.");
    await site.elsewhere.changePost({ id: post.id, content: "Theirs." });
    await writing.save();
    expect(writing.snapshot().saving).toMatchObject({ kind: "conflict", theirs: { content: "Theirs." } });
    clock.pass(20_000);
    expect([writing.draft().content, (await read(post)).content]).toEqual(["Mine.", "Theirs."]);

    async function readTwice(id: number): Promise<PostWithHTML> {
      const theirs = await requests.read(id);
      writing.receive(theirs);
      return theirs;
    }
  });

  test("is followed while nothing is written here", async () => {
    const post = await createPost();
    const { writing } = open(post);
    await site.elsewhere.changePost({ id: post.id, content: "Theirs" });
    writing.receive(await read(post));
    expect([writing.draft().content, kindOf(writing)]).toEqual(["Theirs", "saved"]);
  });

  test("that was deleted can be saved as a new one", async () => {
    const post = await createPost();
    const { writing, created, type } = open(post);
    type("Still wanted");
    await site.elsewhere.deletePost({ id: post.id });
    clock.pass(2000);
    await untilKind(writing, "gone");
    await writing.saveAsNew();
    expect(created[0]?.id).not.toBe(post.id);
    expect((await read(created[0]!)).content).toBe("Still wanted");
  });
});

describe("without a connection", () => {
  const cut = { cutAfter: 1 };

  test("the text is kept, and saved after a while, or at once when the network is there again", async () => {
    const post = await createPost();
    const { writing, type } = open(post);
    for (let failures = 0; failures < 2; failures++) site.fail("PUT", cut);
    type("From the train");
    clock.pass(2000);
    await untilKind(writing, "offline");
    const before = requests();
    clock.pass(2999);
    expect([requests(), copies.list().length]).toEqual([before, 1]);
    clock.pass(1);
    await untilKind(writing, "saving");
    await untilKind(writing, "offline");
    tab.onOnline();
    await untilKind(writing, "saved");
    expect([(await read(post)).content, copies.list()]).toEqual(["From the train", []]);
  });

  test("a post whose creation was not acknowledged is created once", async () => {
    const { writing, created, type } = open(null);
    const title = crypto.randomUUID();
    writing.change({ title });
    type("Once");
    site.fail("POST", { lose: "response" });
    clock.pass(2000);
    await untilKind(writing, "offline");
    clock.pass(3000);
    await untilKind(writing, "saved");
    const found = (await site.elsewhere.listPosts({ status: "draft", pageSize: 100 })).items.filter(
      (post) => post.title === title,
    );
    expect(found.map(({ id }) => id)).toEqual([created[0]?.id as number]);
  });

  test("a text that was saved without a response is no conflict with itself", async () => {
    const post = await createPost();
    const { writing, type } = open(post);
    type("First");
    site.fail("PUT", { lose: "response" });
    clock.pass(2000);
    await untilKind(writing, "offline");
    type("First, and second");
    clock.pass(3000);
    await untilKind(writing, "changed");
    clock.pass(12_000);
    await untilKind(writing, "saved");
    expect((await read(post)).content).toBe("First, and second");
  });

  test("a refusal is shown with its field, and not repeated", async () => {
    const post = await createPost();
    const { writing } = open(post);
    writing.change({ slug: "not a slug / at all" } satisfies Partial<Draft>);
    clock.pass(2000);
    await untilKind(writing, "refused");
    const before = requests();
    clock.pass(60_000);
    expect(requests()).toBe(before);
    expect(writing.snapshot().saving).toMatchObject({ field: "slug" });
  });
});
