import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, RotateCcw, X } from "lucide-react";
import { useRef } from "react";
import { formatBytes, formatNumber } from "../lib/format.ts";
import { IconButton } from "../ui/button.tsx";
import { Progress } from "../ui/screen.tsx";
import { VisibilityMark, visibilityTexts } from "../ui/visibility-mark.tsx";
import { cancelUploads, retryUploads } from "./tab-queue.ts";
import { uploadTexts as t } from "./texts.ts";
import { isOver, type Upload } from "./upload.ts";

/** What needs attention first, then what is under way. */
const order = ["failed", "lost", "sending", "waiting", "existing", "finished"];

export function TrayList({ uploads }: { uploads: readonly Upload[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const sorted = uploads.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  const rows = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 57,
    getItemKey: (index) => sorted[index]?.id ?? index,
    overscan: 4,
  });
  return (
    <div ref={scroller} tabIndex={0} role="group" aria-label={t.uploads} className="max-h-72 overflow-y-auto">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const upload = sorted[index];
          return (
            upload && (
              <li
                key={key}
                // Only a problem can take more than one line. To measure a row, the browser has to lay out the page.
                ref={upload.problem ? rows.measureElement : undefined}
                data-index={index}
                className="absolute inset-x-0 border-t border-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Line upload={upload} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

function Line({ upload }: { upload: Upload }) {
  const { id, name, state, size, sent, problem } = upload;
  const isBad = state === "failed" || state === "lost";
  return (
    <div className="flex min-h-14 items-center gap-1 py-1 pr-1.5 pl-4">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
        <div className="flex items-baseline gap-2">
          <span className="flex min-w-0 flex-1 items-center gap-1.5">
            <span className="truncate" title={name}>
              {name}
            </span>
            <Mark upload={upload} />
          </span>
          {!isBad && <span className="text-sm whitespace-nowrap text-soft tabular-nums">{stateOf(upload)}</span>}
        </div>
        {state === "sending" && <Progress label={name} value={size === 0 ? 0 : sent / size} />}
        {isBad && (
          <p className="text-sm text-danger" title={problem ?? undefined}>
            {problem ?? t.lost}
          </p>
        )}
      </div>
      {state === "failed" && (
        <IconButton label={t.retry(name)} onClick={() => retryUploads([id])}>
          <RotateCcw />
        </IconButton>
      )}
      {isOver(upload) ? (
        <span className="grid size-9 place-items-center text-accent pointer-coarse:size-11">
          <Check className="size-4" />
        </span>
      ) : (
        <IconButton label={t.cancel(name)} onClick={() => cancelUploads([id])}>
          <X />
        </IconButton>
      )}
    </div>
  );
}

/** What was there before is shown to the same people as before. */
function Mark({ upload: { visibility, isInPrivateFolder, state } }: { upload: Upload }) {
  if (isInPrivateFolder) return <VisibilityMark visibility="private" label={visibilityTexts.byFolder} />;
  return visibility && state !== "existing" ? <VisibilityMark visibility={visibility} /> : null;
}

function stateOf({ state, sent, size }: Upload): string {
  if (state === "sending" && sent > 0) return `${formatNumber(Math.floor((100 * sent) / Math.max(1, size)))} %`;
  if (state === "waiting" || state === "sending") return sent > 0 ? t.waiting : formatBytes(size);
  return state === "existing" ? t.existing : t.finished;
}
