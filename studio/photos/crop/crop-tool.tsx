import { FlipVertical2, RotateCcw, RotateCw } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { api } from "../../lib/api.ts";
import { explain } from "../../lib/explain.ts";
import { formatNumber } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { showToast } from "../../lib/toasts.ts";
import { words } from "../../lib/words.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { showSaved } from "../photo-queries.ts";
import { CropArea } from "./crop-area.tsx";
import {
  cropSize,
  type Draft,
  fitRatio,
  flipDraft,
  isWhole,
  originalSize,
  ratioOf,
  type Size,
  toDraft,
  toEdits,
  turnDraft,
  turnSize,
  whole,
} from "./geometry.ts";
import { cropTexts as t } from "./texts.ts";

type Shape = "free" | "original" | "1:1" | "4:3" | "3:2" | "16:9";
const ratios = { "1:1": 1, "4:3": 4 / 3, "3:2": 3 / 2, "16:9": 16 / 9 };
const shapes: Shape[] = ["free", "original", "1:1", "4:3", "3:2", "16:9"];

/** Turns, mirrors and crops the picture of a photo, on the whole screen. The file is not changed. */
export function CropTool({ photo, onClose }: { photo: Photo; onClose: () => void }) {
  const [draft, setDraft] = useState(() => toDraft(photo.edits));
  const [shape, setShape] = useState<Shape>("free");
  const [isSaving, setIsSaving] = useState(false);
  const size = turnSize(draft.turn, originalSize(photo));
  const ratio = toRatio(shape, size);
  const edits = toEdits(draft);
  const isChanged = JSON.stringify(edits) !== JSON.stringify(photo.edits);

  const turn = (direction: "left" | "right") => setDraft((before) => turnDraft(before, direction));
  const mirror = () => setDraft(flipDraft);
  const choose = (wanted: Shape) => {
    setShape(wanted);
    const chosen = toRatio(wanted, size);
    if (chosen !== null) setDraft({ ...draft, crop: fitRatio(draft.crop, chosen) });
  };
  const reset = () => {
    setShape("free");
    setDraft({ turn: 0, flip: false, crop: whole });
  };
  const submit = async () => {
    setIsSaving(true);
    if (await save(photo, edits)) onClose();
    setIsSaving(false);
  };
  useShortcuts([
    { keys: "r", label: t.turnRight, run: () => turn("right") },
    { keys: "shift+r", label: t.turnLeft, run: () => turn("left") },
    { keys: "m", label: t.flip, run: mirror },
    { keys: "escape", label: words.cancel, run: onClose },
  ]);

  const left = cropSize(draft, size);
  return (
    <section aria-label={t.title} className="flex min-h-0 min-w-0 flex-1 touch-manipulation flex-col">
      <header className="flex items-center gap-2 px-3 py-2">
        <h1 className="min-w-0 flex-1 truncate font-medium">{t.title}</h1>
        <Button onClick={onClose} className={onBlack}>
          {words.cancel}
        </Button>
        <Button variant="main" isBusy={isSaving} disabled={!isChanged} onClick={() => void submit()}>
          {words.save}
        </Button>
      </header>
      {/* Messages are shown at the lower edge, where they would be in the way. */}
      <div className="flex flex-wrap items-center justify-center gap-2 px-3">
        <IconButton label={t.turnLeft} onClick={() => turn("left")} className={onBlack}>
          <RotateCcw />
        </IconButton>
        <IconButton label={t.turnRight} onClick={() => turn("right")} className={onBlack}>
          <RotateCw />
        </IconButton>
        <IconButton label={t.flip} aria-pressed={draft.flip} onClick={mirror} className={onBlack}>
          <FlipVertical2 />
        </IconButton>
        <select
          aria-label={t.shape}
          value={shape}
          onChange={({ target }) => choose(target.value as Shape)}
          className="min-h-9 rounded-control border border-white/30 bg-black px-2 text-white pointer-coarse:min-h-11"
        >
          {shapes.map((one) => (
            <option key={one} value={one}>
              {one === "free" ? t.free : one === "original" ? t.original : one}
            </option>
          ))}
        </select>
        <Button onClick={reset} disabled={toEdits(draft) === null} className={onBlack}>
          {t.reset}
        </Button>
      </div>
      <Preview photo={photo} draft={draft} size={size} ratio={ratio} onChange={setDraft} />
      <footer className="px-3 pb-3">
        <p aria-live="polite" className="min-h-[1lh] text-center max-sm:min-h-[2lh] text-sm text-white/80">
          {t.isLeft(formatNumber(left.width), formatNumber(left.height))}
          {isWhole(draft.crop) ? "" : ` · ${t.hides}`}
        </p>
      </footer>
    </section>
  );
}

const onBlack = "!border-white/30 !bg-transparent !text-white hover:!bg-white/15 aria-pressed:!bg-white/25";

const toRatio = (shape: Shape, size: Size): number | null => {
  if (shape === "free") return null;
  return shape === "original" ? 1 : ratioOf(ratios[shape], size);
};

type PreviewProps = { photo: Photo; draft: Draft; size: Size; ratio: number | null; onChange: (draft: Draft) => void };

/** The whole picture, turned and mirrored by the browser. */
function Preview({ photo, draft, size, ratio, onChange }: PreviewProps) {
  const space = useRef<HTMLDivElement>(null);
  const available = useSizeOf(space);
  const scale = Math.min(available.width / size.width, available.height / size.height);
  const frame = { width: size.width * scale, height: size.height * scale };
  const upright = turnSize(draft.turn, frame);
  return (
    <div className="min-h-0 min-w-0 flex-1 p-6">
      <div ref={space} className="grid size-full place-items-center">
        <div className="relative overflow-clip [overflow-clip-margin:1.5rem]" style={frame}>
          <img
            alt={photo.altText || photo.title}
            src={`/api/v1/photos/${photo.id}/image?w=1920&unedited=true`}
            draggable={false}
            className="absolute top-1/2 left-1/2 max-w-none select-none"
            style={{
              ...upright,
              transform: `translate(-50%, -50%) ${draft.flip ? "scaleX(-1)" : ""} rotate(${draft.turn}deg)`,
            }}
          />
          <CropArea crop={draft.crop} size={size} ratio={ratio} onChange={(crop) => onChange({ ...draft, crop })} />
        </div>
      </div>
    </div>
  );
}

function useSizeOf(element: { current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const read = () => setSize({ width: observed.clientWidth, height: observed.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Returns whether it was saved. */
async function save(photo: Photo, edits: Photo["edits"], isUndone = false): Promise<boolean> {
  try {
    const saved = await api.changePhoto({ id: photo.id, edits });
    showSaved(saved);
    if (!isUndone) showToast({ text: t.saved, undo: () => void save(saved, photo.edits, true) });
    return true;
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void save(photo, edits, isUndone) });
    return false;
  }
}
