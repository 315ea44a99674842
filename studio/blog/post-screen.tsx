import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { PostWithHTML } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { readOrKept } from "../lib/connection.ts";
import { queries } from "../lib/queries.ts";
import { Failure, Loading } from "../ui/screen.tsx";
import { type Copy, copies as keptCopies } from "./copies.ts";
import type { Draft } from "./draft.ts";
import { listKeptPosts } from "./kept-posts.ts";
import { Writer } from "./writer.tsx";

/** The editors of new posts stay open when the post gets its id, and with it another address. */
const created = new Map<number, string>();
let newPosts = 0;

const keyOf = (id: number | null, kind: Draft["kind"]): string =>
  id === null ? `new ${kind} ${newPosts}` : (created.get(id) ?? String(id));

export function PostScreen() {
  const params = useParams({ strict: false });
  const id = params.id === "new" ? null : Number(params.id);
  const kind = useSearch({ strict: false }).kind === "page" ? "page" : "post";
  return <OpenPost key={keyOf(id, kind)} id={id} kind={kind} />;
}

/** `kind` is that of a new post. */
function OpenPost({ id, kind }: { id: number | null; kind: Draft["kind"] }) {
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ["posts", id],
    queryFn: ({ signal }) => readOrKept((options) => api.readPost({ id: id ?? 0 }, { signal, ...options }), findKept),
    enabled: id !== null,
    staleTime: 0,
  });
  const copies = useCopies(id, kind);
  if (query.error && !query.data) {
    return (
      <div className="p-8">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </div>
    );
  }
  if ((id !== null && !query.data) || !copies) return <Loading />;
  return <Writer kind={kind} post={query.data ?? null} copy={copies[0] ?? null} onCreated={open} />;

  function findKept(): PostWithHTML | null {
    const post = listKeptPosts().find((post) => post.id === id);
    return post ? { ...post, html: "" } : null;
  }

  function open(post: PostWithHTML): void {
    created.set(post.id, keyOf(null, kind));
    newPosts++;
    queries.setQueryData(["posts", post.id], post);
    void navigate({ to: "/blog/$id", params: { id: String(post.id) }, replace: true });
  }
}

/** Text of this post that was not saved, from a tab that is no longer open; null while it is looked up. */
function useCopies(id: number | null, kind: Draft["kind"]): Copy[] | null {
  const [copies, setCopies] = useState<Copy[] | null>(null);
  // Only when the editor opens: later the copies are its own.
  useEffect(() => void find(), []);
  async function find(): Promise<void> {
    const found = await keptCopies.find(id);
    setCopies(found.filter(({ draft }) => id !== null || draft.kind === kind));
  }
  return copies;
}
