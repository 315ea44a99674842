import { Inbox } from "lucide-react";
import { useState } from "react";
import { useSelection } from "../lib/selection.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Empty, Progress } from "../ui/screen.tsx";
import { approve, reject } from "./decide.ts";
import { GuestCard } from "./guest-card.tsx";
import { sharedKinds } from "./kinds.ts";
import { shareTexts as t } from "./texts.ts";
import type { Guest } from "./waiting.ts";

type Props = { guests: readonly Guest[] };

/** Pictures of guests, to approve or to reject. */
export function WaitingList({ guests }: Props) {
  const [visibility, setVisibility] = useState<"private" | "public">("private");
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null);
  const shown = guests.filter(({ upload }) => !hidden.has(upload.id));
  const selection = useSelection(() => shown.map(({ upload }) => upload.id));
  const selected = shown.filter(({ upload }) => selection.has(upload.id));

  const hide = (some: readonly Guest[]) => setHidden((before) => before.union(idsOf(some)));
  const show = (some: readonly Guest[]) => setHidden((before) => before.difference(idsOf(some)));
  const take = async (some: readonly Guest[]) => {
    selection.clear();
    setProgress({ done: 0, all: some.length });
    await approve(some, visibility, (done) => {
      hide(some.slice(0, done));
      setProgress({ done, all: some.length });
    });
    setProgress(null);
  };
  const refuse = (some: readonly Guest[]) => {
    selection.clear();
    hide(some);
    reject(some, () => show(some));
  };

  if (shown.length === 0) {
    return (
      <Empty icon={<Inbox />} title={t.nothingWaits}>
        {t.nothingWaitsHint}
      </Empty>
    );
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <label className="flex flex-wrap items-center gap-2">
          <span className="text-sm text-soft">{t.visibility}</span>
          <select
            className="control"
            value={visibility}
            onChange={({ target }) => setVisibility(target.value === "public" ? "public" : "private")}
          >
            <option value="private">{t.private}</option>
            <option value="public">{words.everyone}</option>
          </select>
        </label>
        <span className="flex-1" />
        {selected.length > 0 ? (
          <>
            <Button variant="quiet" onClick={selection.clear}>
              {words.clearSelection}
            </Button>
            <Button onClick={() => refuse(selected)}>{t.rejectChosen(selected.length)}</Button>
            <Button variant="main" onClick={() => void take(selected)}>
              {t.approveChosen(selected.length)}
            </Button>
          </>
        ) : (
          <>
            <Button variant="quiet" onClick={() => selection.add(idsOf(shown))}>
              {words.selectAll}
            </Button>
            <Button variant="main" isBusy={progress !== null} onClick={() => void take(shown)}>
              {t.approveAll}
            </Button>
          </>
        )}
      </div>
      {progress && progress.all > 1 && (
        <div className="mb-4">
          <Progress label={t.progress(progress.done, progress.all)} value={progress.done / progress.all} />
        </div>
      )}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(13rem,45%),1fr))] gap-3">
        {shown.map((guest) => (
          <GuestCard
            key={guest.upload.id}
            guest={guest}
            place={guest.share.title ?? sharedKinds[guest.share.kind].one}
            isSelected={selection.has(guest.upload.id)}
            onToggle={(isRange) => selection.toggle(guest.upload.id, isRange)}
            onApprove={() => void take([guest])}
            onReject={() => refuse([guest])}
          />
        ))}
      </ul>
    </>
  );
}

const idsOf = (guests: readonly Guest[]): Set<number> => new Set(guests.map(({ upload }) => upload.id));
