import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Album, File, Photo, Post, SearchResult } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import type { Command } from "../lib/commands.ts";
import { findKind, recordKinds } from "../lib/kinds.ts";
import { goneAfter, linkToDirectory, linkToFile, linkToRecord } from "../lib/links.ts";
import { useMe } from "../lib/me.ts";
import { sourceOf } from "../pickers/thumb.tsx";
import { frameTexts as t } from "./texts.ts";

const maxRecent = 5;

/** Records with the words in them, as commands that open them, by kinds. */
export function useFound(words: string): Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ["search", words],
    queryFn: ({ signal }) => api.search({ q: words, pageSize: 12 }, { signal }),
    enabled: words.length > 1,
    placeholderData: (before) => before,
  });
  if (!data || words.length < 2) return [];
  return data.items.map(({ kind, id, title, record }) => ({
    label: title || excerptOf(record),
    group: recordKinds[kind].many,
    icon: recordKinds[kind].icon,
    picture: pictureOf(kind, record),
    run: () => open(kind, id, record),
  }));

  function open(kind: SearchResult["kind"], id: number, record: SearchResult["record"]): void {
    const link = linkToRecord(kind, id);
    if (link) void navigate(link);
    else if (kind === "comment") void navigate({ to: "/comments", search: { select: String(id) } });
    else if (kind === "file") void navigate(toFile(record as File));
  }
}

/** What the person changed last, each record once, as commands that open it. */
export function useRecent(): Command[] {
  const navigate = useNavigate();
  const { id: actor } = useMe();
  const { data } = useQuery({
    queryKey: ["activity", "recent"],
    queryFn: ({ signal }) => api.listActivity({ actor, pageSize: 30 }, { signal }),
  });
  const seen = new Set<string>();
  const commands: Command[] = [];
  for (const { kind, recordID, name, action } of data?.items ?? []) {
    const key = `${kind} ${recordID}`;
    const link = linkToRecord(kind, recordID);
    if (!seen.has(key) && link && name && !goneAfter.has(action)) {
      const { icon } = findKind({ kind }) ?? {};
      const picture = kind === "photo" ? api.readPhotoImage.url({ id: recordID, w: "320" }) : null;
      commands.push({ label: name, group: t.recent, ...(icon && { icon }), picture, run: () => void navigate(link) });
    }
    seen.add(key);
  }
  return commands.slice(0, maxRecent);
}

function pictureOf(kind: SearchResult["kind"], record: SearchResult["record"]): string | null {
  const photo =
    kind === "photo" ? (record as Photo) : kind === "album" || kind === "post" ? (record as Album | Post).cover : null;
  return photo && sourceOf(photo, 40);
}

const excerptOf = (record: SearchResult["record"]): string => ("content" in record ? record.content.slice(0, 80) : "");

const toFile = (file: File) => (file.isDirectory ? linkToDirectory(`${file.path}/${file.name}`) : linkToFile(file));
