import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { NotebookPen, Plus } from "lucide-react";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import type { Post } from "../../client/src/index.ts";
import { useCommands } from "../lib/commands.ts";
import { useMe } from "../lib/me.ts";
import { useShortcuts } from "../lib/shortcuts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { TabLinks } from "../ui/tab-links.tsx";
import { type Copy, copies as keptCopies } from "./copies.ts";
import type { Draft } from "./draft.ts";
import { listTextsOf, newOf, tabTexts } from "./page-texts.ts";
import { type Tab, usePosts } from "./post-list.ts";
import { PostRow } from "./post-row.tsx";
import { listTexts as t } from "./texts.ts";

const tabs: Tab[] = ["all", "draft", "scheduled", "published"];
/** Only admins write pages. */
const tabsOfAdmins: Tab[] = [...tabs, "page"];
const rowHeight = 97;

export function PostsScreen() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const isAdmin = useMe().role === "admin";
  const names = isAdmin ? tabsOfAdmins : tabs;
  const tab = names.find((name) => name === search.tab) ?? "all";
  const kind = tab === "page" ? "page" : "post";
  const t = listTextsOf(kind);
  const [text, setText] = useState("");
  const words = useDeferredValue(text.trim());
  const posts = usePosts(tab, words);
  const field = useRef<HTMLInputElement>(null);
  const create = (of: Draft["kind"]) => void navigate({ to: "/blog/$id", params: { id: "new" }, search: newOf(of) });
  useShortcuts([
    { keys: "n", label: t.newPost, run: () => create(kind) },
    { keys: "f", label: t.search, run: () => field.current?.focus() },
  ]);
  useCommands(
    (isAdmin ? (["post", "page"] as const) : (["post"] as const)).map((of) => ({
      label: listTextsOf(of).newPost,
      group: t.posts,
      ...(of === kind && { keys: "n" }),
      run: () => create(of),
    })),
  );

  return (
    <Screen
      title={t.posts}
      actions={
        <Link to="/blog/$id" params={{ id: "new" }} search={newOf(kind)} className={buttonClass("main")}>
          <Plus />
          {t.newPost}
        </Link>
      }
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <TabLinks label={t.posts} to="/blog" names={names} current={tab}>
          {(name) => tabTexts[name]}
        </TabLinks>
        <SearchField ref={field} label={t.search} value={text} onChange={setText} className="w-full sm:w-64" />
      </div>
      {(tab === "all" || tab === "draft" || tab === "page") && !words && <NotSaved key={kind} kind={kind} />}
      <Result of={posts}>
        {(list) =>
          list.length === 0 && !posts.hasNextPage ? (
            <Nothing tab={tab} isSearch={words !== ""} />
          ) : (
            <PostList posts={list} onEnd={() => posts.hasNextPage && !posts.isFetching && void posts.fetchNextPage()} />
          )
        }
      </Result>
    </Screen>
  );
}

/** Only the rows on the screen are in the page. */
function PostList({ posts, onEnd }: { posts: Post[]; onEnd: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const rows = useWindowVirtualizer({
    count: posts.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => posts[index]?.id ?? index,
  });
  const shown = rows.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= posts.length - 10;
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (isNearEnd) latest.current();
  }, [isNearEnd, posts.length]);
  useShortcuts([
    { keys: "j", label: t.next, run: () => move(1) },
    { keys: "k", label: t.previous, run: () => move(-1) },
  ]);
  return (
    <ul
      ref={list}
      className="relative overflow-hidden rounded-card border border-line bg-surface"
      style={{ height: rows.getTotalSize() }}
    >
      {shown.map(({ index, start, key }) => {
        const post = posts[index];
        return (
          post && (
            <li
              key={key}
              data-index={index}
              ref={rows.measureElement}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            >
              <PostRow post={post} />
            </li>
          )
        );
      })}
    </ul>
  );

  function move(by: number): void {
    const focused = document.activeElement?.closest("[data-index]");
    const at = focused instanceof HTMLElement ? Number(focused.dataset.index) + by : 0;
    const next = Math.max(0, Math.min(posts.length - 1, at));
    rows.scrollToIndex(next);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus());
  }
}

/** New posts that were never sent to the server, for example because there was no network. */
function NotSaved({ kind }: { kind: Draft["kind"] }) {
  const [copies, setCopies] = useState<Copy[]>([]);
  useEffect(() => void keptCopies.find(null).then(setCopies), []);
  const copy = copies.find(({ draft }) => draft.kind === kind);
  if (!copy) return null;
  const text = copy.draft.title || copy.draft.content.slice(0, 80);
  return (
    <p className="mb-3 flex flex-wrap items-center justify-between gap-2 rounded-card border border-line bg-mark px-4 py-2">
      <span className="min-w-0">
        <strong className="block truncate" dir="auto">
          {text}
        </strong>
        <span className="text-sm">{t.onlyHere}</span>
      </span>
      <Link to="/blog/$id" params={{ id: "new" }} search={newOf(kind)} className={buttonClass()}>
        {t.goOn}
      </Link>
    </p>
  );
}

function Nothing({ tab, isSearch }: { tab: Tab; isSearch: boolean }) {
  const kind = tab === "page" ? "page" : "post";
  const t = listTextsOf(kind);
  if (isSearch) return <Empty title={t.notFound} />;
  if (tab !== "all" && tab !== "page") return <Empty icon={<NotebookPen />} title={t.emptyTab[tab]} />;
  return (
    <Empty
      icon={<NotebookPen />}
      title={t.empty}
      action={
        <Link to="/blog/$id" params={{ id: "new" }} search={newOf(kind)} className={buttonClass("main")}>
          {t.newPost}
        </Link>
      }
    >
      {t.emptyHint}
    </Empty>
  );
}
