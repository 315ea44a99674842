import { useCallback, useEffect, useRef, useState } from "react";
import { etagOf, type Photo, type PhotoChanges } from "../../../client/src/index.ts";
import { api, isStatus } from "../../lib/api.ts";
import { explain } from "../../lib/explain.ts";
import { queries } from "../../lib/queries.ts";
import { showToast } from "../../lib/toasts.ts";
import { photosTexts } from "../texts.ts";
import { photoQuery, showSaved } from "../photo-queries.ts";
import { forgetDraft, keepDraft, readDraft } from "./drafts.ts";

type State =
  | { is: "saved" | "waiting" | "saving" }
  | { is: "failed"; problem: string }
  /** Another person has changed the same fields. */
  | { is: "conflict"; theirs: Photo; fields: (keyof PhotoChanges)[] };

const delay = 700;

/** Saves what is typed automatically, a moment later. Until it is saved, it is kept in this browser. */
export function useEditor(photo: Photo) {
  const { id } = photo;
  const [draft, setDraft] = useState<PhotoChanges>(() => readDraft(id));
  const [state, setState] = useState<State>({ is: Object.keys(draft).length > 0 ? "waiting" : "saved" });
  const latest = useRef({ draft, photo });
  latest.current.photo = photo;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isSaving = useRef(false);

  const setLatest = useCallback(
    (changed: PhotoChanges) => {
      latest.current.draft = changed;
      keepDraft(id, changed);
      setDraft(changed);
    },
    [id],
  );

  const save = useCallback(async () => {
    clearTimeout(timer.current);
    const sent = latest.current.draft;
    if (isSaving.current || Object.keys(sent).length === 0) return;
    isSaving.current = true;
    setState({ is: "saving" });
    try {
      const result = await saveMerged(id, sent, latest.current.photo);
      isSaving.current = false;
      if ("fields" in result) return setState({ is: "conflict", ...result });
      showSaved(result.saved);
      if (sent.visibility !== undefined) void queries.invalidateQueries({ queryKey: ["files"] });
      if (sent.visibility === "private" && result.saved.file?.visibility === "public") {
        showToast({ text: photosTexts.filesStayPublic(1) });
      }
      latest.current.photo = result.saved;
      // What was typed since then is saved next.
      const { draft: now } = latest.current;
      setLatest(
        Object.fromEntries(Object.entries(now).filter(([name, value]) => sent[name as keyof PhotoChanges] !== value)),
      );
      if (Object.keys(latest.current.draft).length > 0) return void save();
      setState({ is: "saved" });
    } catch (error) {
      isSaving.current = false;
      setState({ is: "failed", problem: explain(error) });
    }
  }, [id, setLatest]);

  const change = (changes: PhotoChanges) => {
    setLatest({ ...latest.current.draft, ...changes });
    setState({ is: "waiting" });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), delay);
  };
  const resolve = (isMine: boolean) => {
    if (state.is !== "conflict") return;
    queries.setQueryData(photoQuery(id).queryKey, state.theirs);
    latest.current.photo = state.theirs;
    if (!isMine) {
      const others = { ...latest.current.draft };
      for (const field of state.fields) delete others[field];
      setLatest(others);
    }
    if (Object.keys(latest.current.draft).length > 0) void save();
    else setState({ is: "saved" });
  };
  // Another photo is shown, or the page is left.
  useEffect(() => {
    if (Object.keys(latest.current.draft).length > 0) void save();
    const leave = () => void save();
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      void save();
    };
  }, [save]);

  return { value: { ...photo, ...draft } as Photo & PhotoChanges, state, change, save, resolve };
}

type Result = { saved: Photo } | { theirs: Photo; fields: (keyof PhotoChanges)[] };

/** Changes of other fields by another person are not a conflict. */
async function saveMerged(id: number, sent: PhotoChanges, base: Photo): Promise<Result> {
  let known = etagOf(base) === null ? await api.readPhoto({ id }) : base;
  for (;;) {
    try {
      const saved = await api.changePhoto({ id, ...sent }, { ifMatch: known });
      forgetDraft(id);
      return { saved };
    } catch (error) {
      if (!isStatus(error, 412)) throw error;
      const theirs = await api.readPhoto({ id });
      const isSame = (one: Photo, other: Photo, field: keyof PhotoChanges) =>
        JSON.stringify(one[field as keyof Photo]) === JSON.stringify(other[field as keyof Photo]);
      const fields = (Object.keys(sent) as (keyof PhotoChanges)[]).filter(
        (field) =>
          !isSame(theirs, base, field) && JSON.stringify(theirs[field as keyof Photo]) !== JSON.stringify(sent[field]),
      );
      if (fields.length > 0) return { theirs, fields };
      known = theirs;
    }
  }
}
