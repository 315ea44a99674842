import { type PostChanges, type PostWithHTML, VitrineError } from "../../client/src/index.ts";
import { isStatus } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { createSharedValue } from "../lib/shared-value.ts";
import { type Copy, newCopyKey } from "./copies.ts";
import { browser } from "./device.ts";
import {
  changesOf,
  compareWithTheirs,
  differentFields,
  type Draft,
  draftOf,
  type Field,
  fields,
  isBlank,
  newDraft,
  slugsFor,
  statusOf,
} from "./draft.ts";
import { isTemporary, mayBeDone } from "./post-requests.ts";

export type Saving =
  | { kind: "saved" }
  /** Will be saved in a moment. */
  | { kind: "changed" }
  | { kind: "saving" }
  /** Kept on this device only: readers see changes of a published post after "Update", and a post needs a text. */
  | { kind: "kept"; why: "published" | "blank" }
  | { kind: "offline" }
  | { kind: "refused"; message: string; field: string | null }
  | { kind: "gone" }
  | { kind: "full" }
  | { kind: "conflict"; theirs: PostWithHTML; base: Draft | null };

/** The post as the server has it, what is written now, and whether that is saved. */
export type Snapshot = { post: PostWithHTML | null; draft: Omit<Draft, "content">; saving: Saving };

/** Where the text is while it is edited. */
type TextHolder = { read: () => string; replace: (text: string) => void };

const keepDelay = 300;
/** Keeping a very long text takes a moment: it is done less often, so that it takes little of the time. */
const keepShare = 20;
const saveDelay = 2000;
/** Each save of a text is a revision. */
const saveInterval = 10_000;
const firstRetry = 3000;
const lastRetry = 60_000;

export type Writing = ReturnType<typeof openWriting>;

/**
 * The text of a post while it is written: kept on the device at once, saved on the server after a pause. A new post
 * is opened by its kind.
 */
export function openWriting(
  opened: PostWithHTML | Draft["kind"],
  copy: Copy | null,
  onCreated: (post: PostWithHTML) => void,
  { posts, copies, clock, watch } = browser,
) {
  const key = copy?.key ?? newCopyKey();
  let post = typeof opened === "string" ? null : opened;
  let base = typeof opened === "string" ? newDraft(opened) : draftOf(opened);
  let draft = copy ? { ...copy.draft, kind: base.kind } : base;
  let holder: TextHolder | null = null;
  let saving: Saving = { kind: "saved" };
  const shown = createSharedValue<Snapshot>({ post, draft, saving });
  let cancelKeep: Cancel | null = null;
  let cancelSave: Cancel | null = null;
  let savedAt = 0;
  let keepDuration = 0;
  let retryDelay = firstRetry;
  const create = posts.createOnce();
  let sending: Promise<unknown> | null = null;
  /** What was sent without a response: the server may have it. */
  let lost: Draft | null = null;
  let received: PostWithHTML | null = null;
  const textListeners = new Set<() => void>();

  return {
    use: shown.use,
    snapshot: shown.read,
    /** Told of every key. */
    followText(listener: () => void) {
      textListeners.add(listener);
      return () => void textListeners.delete(listener);
    },
    draft: current,
    attach(given: TextHolder | null) {
      if (holder && !given) draft = current();
      holder = given;
    },
    start,
    touch,
    change(changes: Partial<Draft>) {
      apply(changes);
      touch();
    },
    /** Saves now, also what readers see. */
    save: (more: PostChanges = {}) => save(more, true),
    publish,
    receive,
    settle,
    saveAsNew,
    discard,
  };

  function current(): Draft {
    return holder ? { ...draft, content: holder.read() } : draft;
  }

  function apply({ content, ...others }: Partial<Draft>): void {
    draft = { ...draft, ...others };
    if (content !== undefined && holder) holder.replace(content);
    else if (content !== undefined) draft = { ...draft, content };
    report();
  }

  function report(next: Saving = saving): void {
    saving = next;
    shown.change({ post, draft, saving });
  }

  /** Begins to watch the tab and the network. Returns how to end that. */
  function start(): () => void {
    const release = copies.hold(key);
    const listening = new AbortController();
    watch({ onHidden: keep, onOnline: () => saving.kind === "offline" && void save() }, listening.signal);
    if (copy && copy.baseAt !== (post?.updatedAt ?? null) && post) meetTheirs(post, null);
    else if (copy) touch();
    return () => {
      keep();
      if (saving.kind === "changed") void save();
      listening.abort();
      cancelSave?.();
      cancelSave = null;
      release();
    };
  }

  /** Called for every key: it must not depend on the length of the text. */
  function touch(): void {
    for (const listener of textListeners) listener();
    cancelKeep ??= clock.after(Math.max(keepDelay, keepShare * keepDuration), keep);
    if (saving.kind === "conflict" || saving.kind === "gone") return;
    if (saving.kind !== "offline") {
      cancelSave?.();
      cancelSave = clock.after(Math.max(saveDelay, savedAt + saveInterval - clock.now()), () => void save());
    }
    if (saving.kind === "saved") report({ kind: "changed" });
  }

  function keep(): void {
    cancelKeep?.();
    cancelKeep = null;
    const begin = performance.now();
    const now = current();
    if (differentFields(base, now).length === 0) return copies.drop(key);
    const isKept = copies.keep({
      key,
      postID: post?.id ?? null,
      baseAt: post?.updatedAt ?? null,
      at: clock.now(),
      draft: now,
    });
    keepDuration = performance.now() - begin;
    if (!isKept) report({ kind: "full" });
  }

  /** `isWanted`: the person has asked for it. Otherwise a published post stays as its readers see it. */
  async function save(more: PostChanges = {}, isWanted = false): Promise<PostWithHTML | null> {
    if (isWanted) await sending;
    if (sending || saving.kind === "conflict" || saving.kind === "gone") return null;
    const sent = current();
    const changes = { ...changesOf(base, sent), ...more };
    if (Object.keys(changes).length === 0) return finish(sent);
    const isPublic = post !== null && statusOf(post) !== "draft";
    if (isPublic && !isWanted) return (report({ kind: "kept", why: "published" }), null);
    if (!post && isBlank(sent.content)) return (report({ kind: "kept", why: "blank" }), null);
    const request = send(sent, changes, isWanted);
    sending = request;
    return request;
  }

  /** Null if it failed. */
  async function send(sent: Draft, changes: PostChanges, isWanted: boolean): Promise<PostWithHTML | null> {
    const isNew = post === null;
    report({ kind: "saving" });
    try {
      const slugs = post && statusOf(post) === "draft" ? slugsFor(base, sent) : [];
      const saved = post ? await posts.change(post, { changes, slugs, isWanted }) : await create(sent, changes);
      sending = null;
      lost = null;
      savedAt = clock.now();
      retryDelay = firstRetry;
      takeBase(saved, sent, changes);
      if (isNew) onCreated(saved);
      finish(sent);
      if (received) receive(received);
      return saved;
    } catch (error) {
      sending = null;
      if (mayBeDone(error)) lost = sent;
      await fail(error);
      return null;
    }
  }

  /** What was sent is saved; since then, more may have been written. */
  function finish(sent: Draft): null {
    const now = current();
    const left = differentFields(base, now);
    if (left.length === 0) {
      copies.drop(key);
      report({ kind: "saved" });
    } else if (left.every((field) => changesOf(base, now)[field] === undefined)) {
      report({ kind: "kept", why: "blank" });
    } else {
      report({ kind: "saved" });
      if (differentFields(sent, now).length > 0) touch();
    }
    keep();
    return null;
  }

  function takeBase(saved: PostWithHTML, sent: Draft, changes: PostChanges): void {
    post = saved;
    base = draftOf(saved);
    // The server decides how some fields are written, such as tags.
    const isWritten = (field: Field) => field === "slug" || (field !== "content" && field in changes);
    const same = fields.filter((field) => isWritten(field) && draft[field] === sent[field]);
    const written = Object.fromEntries(same.map((field) => [field, base[field]]));
    draft = { ...draft, ...written };
  }

  async function fail(error: unknown): Promise<void> {
    keep();
    if (isStatus(error, 412) && post) {
      try {
        return meetTheirs(await posts.read(post.id), base);
      } catch (reading) {
        return fail(reading);
      }
    }
    if (isStatus(error, 404)) return report({ kind: "gone" });
    const field = error instanceof VitrineError ? error.field : null;
    if (!isTemporary(error)) return report({ kind: "refused", message: explain(error), field });
    report({ kind: "offline" });
    cancelSave?.();
    cancelSave = clock.after(retryDelay, () => void save());
    retryDelay = Math.min(2 * retryDelay, lastRetry);
  }

  /** The post that the server has now, perhaps changed in another tab or by another person. */
  function receive(theirs: PostWithHTML): void {
    received = sending ? theirs : null;
    if (sending || !post || theirs.id !== post.id || theirs.updatedAt <= post.updatedAt) return;
    meetTheirs(theirs, base);
  }

  /** Takes what others have changed elsewhere in the post. What was changed on both sides, a person has to decide. */
  function meetTheirs(theirs: PostWithHTML, from: Draft | null): void {
    // Heard of twice, it is still the same conflict.
    if (saving.kind === "conflict") return;
    const mine = current();
    const other = draftOf(theirs);
    const isMine = lost && differentFields(lost, other).length === 0;
    const known = isMine ? lost : from;
    const { taken, conflicts } = known
      ? compareWithTheirs(known, mine, other)
      : { taken: {}, conflicts: differentFields(mine, other) };
    post = theirs;
    base = other;
    apply(taken);
    if (conflicts.length > 0) return (keep(), report({ kind: "conflict", theirs, base: from }));
    report({ kind: "saved" });
    if (differentFields(base, current()).length > 0) touch();
    else copies.drop(key);
  }

  /** Ends a conflict with the text that was chosen. */
  function settle(chosen: Partial<Draft>): void {
    if (saving.kind !== "conflict") return;
    report({ kind: "saved" });
    apply(chosen);
    touch();
  }

  /** Null: a draft. A time later than now on the server: the post is published then. */
  async function publish(publishedAt: string | null, isNow = false): Promise<PostWithHTML | null> {
    const saved = await save({ publishedAt }, true);
    // The clock of this device may be ahead of the server's: then the post would be published only later.
    const isLate = saved && isNow && saved.publishedAt !== null && saved.publishedAt > saved.updatedAt;
    return isLate ? save({ publishedAt: saved.updatedAt }, true) : saved;
  }

  /** After the post was deleted elsewhere. */
  async function saveAsNew(): Promise<void> {
    draft = { ...current(), slug: "" };
    post = null;
    base = newDraft(draft.kind);
    report({ kind: "changed" });
    await save({}, true);
  }

  /** Goes back to what the server has. */
  function discard(): Draft {
    const mine = current();
    apply(base);
    copies.drop(key);
    report({ kind: "saved" });
    return mine;
  }
}

type Cancel = () => void;
