import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef } from "react";
import { classes } from "../../ui/classes.ts";
import { type Crop, moveCrop, resizeCrop, type Sides, type Size } from "./geometry.ts";
import { cropTexts as t } from "./texts.ts";

type Props = {
  crop: Crop;
  /** Of the turned picture, in pixels. */
  size: Size;
  /** Of fractions; null if the shape is free. */
  ratio: number | null;
  onChange: (crop: Crop) => void;
};

const corners: Sides[] = [
  { x: -1, y: -1 },
  { x: 1, y: -1 },
  { x: -1, y: 1 },
  { x: 1, y: 1 },
];
const edges: Sides[] = [
  { x: 0, y: -1 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 1, y: 0 },
];
const step = 0.01;

/** What is left of a picture: dragged at its sides, moved as a whole, or changed by the arrow keys. */
export function CropArea({ crop, size, ratio, onChange }: Props) {
  const start = useRef<{ crop: Crop; x: number; y: number; sides: Sides | null } | null>(null);
  const area = useRef<HTMLDivElement>(null);
  const hint = useId();
  useEffect(() => area.current?.focus({ preventScroll: true }), []);

  const begin = (sides: Sides | null) => (event: PointerEvent) => {
    if (event.button !== 0 || start.current) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { crop, x: event.clientX, y: event.clientY, sides };
  };
  const drag = (event: PointerEvent) => {
    const frame = area.current?.parentElement?.getBoundingClientRect();
    if (!start.current || !frame) return;
    const { crop: before, x, y, sides } = start.current;
    const by = { right: (event.clientX - x) / frame.width, down: (event.clientY - y) / frame.height };
    onChange(sides ? resizeCrop(before, sides, by, { size, ratio }) : moveCrop(before, by));
  };
  const end = () => {
    start.current = null;
  };
  const handlers = (sides: Sides | null) => ({
    onPointerDown: begin(sides),
    onPointerMove: drag,
    onPointerUp: end,
    onPointerCancel: end,
  });

  const press = (event: KeyboardEvent) => {
    const direction = directions[event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const by = { right: direction.x * step, down: direction.y * step };
    if (!event.shiftKey) return onChange(moveCrop(crop, by));
    // With a ratio, the height follows from the width.
    const larger = ratio === null ? by : { right: by.right + by.down, down: 0 };
    onChange(resizeCrop(crop, { x: 1, y: 1 }, larger, { size, ratio }));
  };

  const percent = (value: number) => `${value * 100}%`;
  return (
    <>
      <div
        ref={area}
        role="group"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={t.area}
        aria-describedby={hint}
        onKeyDown={press}
        {...handlers(null)}
        className="absolute cursor-move touch-none border border-white shadow-[0_0_0_100vmax_rgb(0_0_0/0.6)] focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-white"
        style={{
          left: percent(crop.x),
          top: percent(crop.y),
          width: percent(crop.width),
          height: percent(crop.height),
        }}
      >
        <Thirds />
        {[...(ratio === null ? edges : []), ...corners].map((sides) => (
          <Handle key={`${sides.x} ${sides.y}`} sides={sides} handlers={handlers(sides)} />
        ))}
      </div>
      <p id={hint} className="sr-only">
        {t.keys}
      </p>
    </>
  );
}

const directions: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Larger to the finger than to the eye. */
function Handle({ sides: { x, y }, handlers }: { sides: Sides; handlers: object }) {
  const isCorner = x !== 0 && y !== 0;
  const cursor = isCorner
    ? x === y
      ? "cursor-nwse-resize"
      : "cursor-nesw-resize"
    : x === 0
      ? "cursor-ns-resize"
      : "cursor-ew-resize";
  return (
    <span
      aria-hidden="true"
      data-handle={`${x} ${y}`}
      {...handlers}
      className={classes(
        "absolute grid size-11 -translate-x-1/2 -translate-y-1/2 touch-none place-items-center",
        cursor,
      )}
      style={{ left: `${(x + 1) * 50}%`, top: `${(y + 1) * 50}%` }}
    >
      <span
        className={classes(
          "block rounded-full bg-white shadow",
          isCorner ? "size-4" : x === 0 ? "h-1.5 w-7" : "h-7 w-1.5",
        )}
      />
    </span>
  );
}

const Thirds = () => (
  <span aria-hidden="true" className="pointer-events-none absolute inset-0 grid grid-cols-3 grid-rows-3">
    {Array.from({ length: 9 }, (_, place) => (
      <span key={place} className={classes("border-white/35", place % 3 < 2 && "border-r", place < 6 && "border-b")} />
    ))}
  </span>
);
