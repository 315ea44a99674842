import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import type { PostWithHTML } from "../../client/src/index.ts";
import { albumQuery } from "../albums/album-photos.ts";
import type { Editor } from "../editor/create-editor.ts";
import type { FindPicture } from "../editor/embedded-pictures.ts";
import { addBlock } from "../editor/markdown-commands.ts";
import { markUpload } from "../editor/pending-uploads.ts";
import { TextEditor } from "../editor/text-editor.tsx";
import { Toolbar } from "../editor/toolbar.tsx";
import { queries } from "../lib/queries.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { photoQuery } from "../photos/photo-queries.ts";
import { AlbumPicker } from "../pickers/album-picker.tsx";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { sourceOf } from "../pickers/thumb.tsx";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { useTitle } from "../ui/screen.tsx";
import { addUploads, postDirectory } from "../uploads/uploads.ts";
import type { Copy } from "./copies.ts";
import type { Draft } from "./draft.ts";
import { keepPosts } from "./kept-posts.ts";
import { listOf, writerTextsOf } from "./page-texts.ts";
import { PostActions } from "./post-actions.tsx";
import { PostStatus } from "./post-status.tsx";
import { PreviewPane, type ScrollLink } from "./preview-pane.tsx";
import { RevisionsPane } from "./revisions-pane.tsx";
import { Notice, SaveNotice, SaveState } from "./save-state.tsx";
import { SettingsPane } from "./settings-pane.tsx";
import { WordCount } from "./word-count.tsx";
import { openWriting } from "./writing.ts";

const loadConflictDialog = () => import("./conflict-dialog.tsx");
const ConflictDialog = lazy(loadConflictDialog);

const views = ["write", "preview", "settings", "revisions"] as const;
type View = (typeof views)[number];

const isWide = () => matchMedia("(min-width: 64rem)").matches;

type Props = {
  /** Of a new post. */
  kind: Draft["kind"];
  post: PostWithHTML | null;
  copy: Copy | null;
  onCreated: (post: PostWithHTML) => void;
};

/** The text, and beside it its preview, its settings or its revisions. On a narrow screen, one of them. */
export function Writer({ kind, post: loaded, copy, onCreated }: Props) {
  const created = useRef(onCreated);
  created.current = onCreated;
  const [writing] = useState(() => openWriting(loaded ?? kind, copy, (post) => created.current(post)));
  const { post, draft, saving } = writing.use();
  const t = writerTextsOf(draft.kind);
  const [view, setView] = useState<View>(() => (isWide() ? "preview" : "write"));
  const [isRestored, setIsRestored] = useState(copy !== null);
  const [isDeciding, setIsDeciding] = useState(true);
  const [picking, setPicking] = useState<"photo" | "album" | null>(null);
  const editor = useRef<Editor | null>(null);
  const [scroll] = useState<ScrollLink>({ fraction: 0, onScroll: null });
  useTitle(draft.title || (post ? t.post : t.newPost));

  useEffect(() => {
    const stop = writing.start();
    return () => {
      // A post that is created after the person has left does not call them back.
      created.current = () => {};
      stop();
    };
  }, [writing]);
  // Loaded ahead: most conflicts are found when a lost network has just come back, and requests may still fail then.
  useEffect(() => void loadConflictDialog().catch(() => {}), []);
  useEffect(() => setIsDeciding(true), [saving.kind]);
  // Also what another tab has saved arrives here.
  useEffect(() => void (loaded && writing.receive(loaded)), [writing, loaded]);
  useEffect(() => {
    if (!post) return;
    queries.setQueryData(["posts", post.id], post);
    keepPosts([post]);
  }, [post]);
  useShortcuts([
    { keys: "mod+s", label: words.save, run: () => void writing.save() },
    ...views.map((name, index) => ({
      keys: `mod+alt+${index + 5}`,
      label: t.showPane(t.views[name]),
      run: () => setView(name),
    })),
  ]);

  const attach = useCallback(
    (next: Editor | null) => {
      editor.current = next;
      writing.attach(next);
      next?.view.scrollDOM.addEventListener("scroll", ({ currentTarget }) => {
        const { scrollTop, scrollHeight, clientHeight } = currentTarget as HTMLElement;
        scroll.fraction = scrollTop / Math.max(1, scrollHeight - clientHeight);
        scroll.onScroll?.();
      });
    },
    [writing, scroll],
  );

  return (
    <div className="flex h-[calc(100dvh-5rem)] flex-col md:h-dvh">
      <h1 className="sr-only">{draft.title || t.newPost}</h1>
      <header className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-2 py-2 lg:px-4">
        <Link to="/blog" search={listOf(draft.kind)} aria-label={t.back} title={t.back} className={iconButtonClass()}>
          <ArrowLeft />
        </Link>
        <div className="flex min-w-0 flex-1 items-center gap-3">
          <PostStatus post={post} visibility={draft.visibility} />
          <SaveState kind={draft.kind} saving={saving} isNew={post === null} />
        </div>
        <div
          role="group"
          aria-label={t.viewsLabel}
          className="order-last flex w-full rounded-control bg-tint p-0.5 lg:order-none lg:w-auto"
        >
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
              className="min-h-8 flex-1 rounded-control px-3 text-sm text-soft aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-sm pointer-coarse:min-h-10 pointer-coarse:px-1"
            >
              {t.views[name]}
            </button>
          ))}
        </div>
        <PostActions writing={writing} post={post} draft={draft} saving={saving} />
      </header>
      <SaveNotice
        kind={draft.kind}
        saving={saving}
        onSaveAsNew={() => void writing.saveAsNew()}
        onCompare={() => setIsDeciding(true)}
      />
      {isRestored && saving.kind !== "conflict" && (
        <Notice>
          {t.restored}
          <span className="flex gap-2">
            <Button variant="quiet" onClick={discard}>
              {t.discard}
            </Button>
            <Button variant="quiet" onClick={() => setIsRestored(false)}>
              {words.close}
            </Button>
          </span>
        </Notice>
      )}
      <div
        className={classes(
          "flex min-h-0 flex-1",
          view !== "write" && "lg:grid lg:grid-cols-2 lg:grid-rows-[minmax(0,1fr)]",
        )}
      >
        <div className={classes("min-w-0 flex-1 flex-col", view === "write" ? "flex" : "hidden lg:flex")}>
          <textarea
            aria-label={words.title}
            placeholder={words.title}
            rows={1}
            maxLength={300}
            dir="auto"
            autoFocus={!loaded && !copy}
            value={draft.title}
            onChange={(event) => writing.change({ title: event.target.value.replaceAll(/\s*\n\s*/g, " ") })}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              event.preventDefault();
              editor.current?.view.focus();
            }}
            className="mx-auto block field-sizing-content max-h-40 w-full max-w-[46rem] shrink-0 resize-none bg-transparent px-5 pt-5 pb-2 font-serif text-2xl font-semibold placeholder:text-soft focus-visible:outline-none"
          />
          <Toolbar
            run={(command) => editor.current?.run(command)}
            onFiles={(files) => upload(files, editor.current?.view.state.selection.main.head ?? 0)}
            onPickPhoto={() => setPicking("photo")}
            onPickAlbum={() => setPicking("album")}
          />
          <div className="min-h-0 flex-1">
            <TextEditor
              text={() => writing.draft().content}
              label={t.text}
              hint={t.textHint}
              onChange={writing.touch}
              onFiles={upload}
              findPicture={findPicture}
              onEditor={attach}
            />
          </div>
          <WordCount writing={writing} />
        </div>
        {view !== "write" && (
          <div className="min-h-0 min-w-0 flex-1 border-line lg:border-l">
            {view === "preview" && <PreviewPane writing={writing} scroll={scroll} />}
            {view === "settings" && <SettingsPane writing={writing} post={post} draft={draft} saving={saving} />}
            {view === "revisions" && <RevisionsPane writing={writing} post={post} />}
          </div>
        )}
      </div>
      {saving.kind === "conflict" && isDeciding && (
        <Suspense>
          <ConflictDialog conflict={saving} writing={writing} onClose={() => setIsDeciding(false)} />
        </Suspense>
      )}
      {picking === "photo" && (
        <PhotoPicker
          onClose={() => setPicking(null)}
          onPick={(photos) => embed(photos.map(({ id }) => `![[photo:${id}]]`).join("\n\n"))}
        />
      )}
      {picking === "album" && (
        <AlbumPicker onClose={() => setPicking(null)} onPick={({ id }) => embed(`![[album:${id}]]`)} />
      )}
    </div>
  );

  function discard(): void {
    setIsRestored(false);
    const mine = writing.discard();
    showToast({ text: t.discarded, undo: () => writing.change(mine) });
  }

  function embed(text: string): void {
    // After the dialog has given the focus back.
    setTimeout(() => editor.current?.run(addBlock(text)));
  }

  function upload(files: File[], at: number): void {
    const { current } = editor;
    if (!current) return;
    for (const file of files) {
      const mark = markUpload(current.view, file.name, at);
      addUploads([{ file }], {
        directory: postDirectory,
        isPhoto: true,
        onStored: ({ file, photoID }) =>
          mark.replace(photoID === null ? `![[file:${file.id}]]` : `![[photo:${photoID}]]`),
        onFailed: mark.fail,
        onCancelled: mark.remove,
      });
    }
  }
}

const findPicture: FindPicture = async (kind, id) => {
  const photo =
    kind === "photo" ? await queries.fetchQuery(photoQuery(id)) : (await queries.fetchQuery(albumQuery(id))).cover;
  return photo && sourceOf(photo, 80);
};
