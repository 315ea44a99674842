import { type PointerEvent, useEffect, useRef, useState } from "react";

type Position = { scale: number; x: number; y: number };
type Point = { x: number; y: number };

const atRest: Position = { scale: 1, x: 0, y: 0 };
const [zoomed, maxZoomed] = [2.5, 8];
const swipeDistance = 60;

type Deps = { onNext: () => void; onPrevious: () => void; onClose: () => void };

/** Swipe to another photo, drag a zoomed one, zoom with two fingers, the wheel or a double click. */
export function useGestures(key: number, { onNext, onPrevious, onClose }: Deps) {
  const [position, setPosition] = useState(atRest);
  const [isMoving, setIsMoving] = useState(false);
  const pointers = useRef(new Map<number, Point>());
  const start = useRef({ position: atRest, at: { x: 0, y: 0 }, distance: 0 });
  /** Even after one of two fingers was lifted: what the other one does then is not a swipe. */
  const hasZoomed = useRef(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => setPosition(atRest), [key]);

  const zoomAt = (point: Point, scale: number) =>
    setPosition((before) => limit(zoomedAround(before, point, scale), element.current));
  useEffect(() => {
    const stage = element.current;
    // React listens to the wheel passively, so the page would also move.
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const factor = Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400));
      setPosition((before) => limit(zoomedAround(before, toPoint(event, stage), before.scale * factor), stage));
    };
    stage?.addEventListener("wheel", turn, { passive: false });
    return () => stage?.removeEventListener("wheel", turn);
  }, []);

  const begin = () => {
    const points = [...pointers.current.values()];
    start.current = { position, at: middleOf(points), distance: distanceOf(points) };
  };
  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || (event.target as Element).closest("button, video")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, toPoint(event, element.current));
      hasZoomed.current = pointers.current.size > 1;
      setIsMoving(true);
      begin();
    },
    onPointerMove(event: PointerEvent) {
      if (!pointers.current.has(event.pointerId)) return;
      pointers.current.set(event.pointerId, toPoint(event, element.current));
      const points = [...pointers.current.values()];
      const at = middleOf(points);
      const { position: from, at: first, distance } = start.current;
      const moved = { ...from, x: from.x + at.x - first.x, y: from.y + at.y - first.y };
      if (points.length > 1 && distance > 0)
        setPosition(zoomedAround(moved, at, from.scale * (distanceOf(points) / distance)));
      else setPosition(from.scale > 1 ? limit(moved, element.current) : moved);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onDoubleClick: (event: PointerEvent | React.MouseEvent) =>
      zoomAt(toPoint(event, element.current), position.scale > 1 ? 1 : zoomed),
  };

  function end(event: PointerEvent): void {
    if (!pointers.current.delete(event.pointerId)) return;
    if (pointers.current.size > 0) return begin();
    setIsMoving(false);
    if (position.scale > 1) return setPosition(limit(position, element.current));
    setPosition(atRest);
    if (event.type === "pointercancel" || start.current.position.scale > 1 || hasZoomed.current) return;
    if (Math.abs(position.x) > Math.max(swipeDistance, Math.abs(position.y))) {
      if (position.x < 0) onNext();
      else onPrevious();
    } else if (position.y > swipeDistance * 2 && event.pointerType === "touch") onClose();
  }

  const toggleZoom = () => setPosition(position.scale > 1 ? atRest : { scale: zoomed, x: 0, y: 0 });
  return { element, position, isMoving, handlers, toggleZoom };
}

/** Points are measured from the middle of the stage. */
function toPoint({ clientX, clientY }: { clientX: number; clientY: number }, stage: Element | null): Point {
  const box = stage?.getBoundingClientRect();
  return box ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 } : { x: 0, y: 0 };
}

const middleOf = (points: Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / Math.max(1, points.length),
  y: points.reduce((sum, { y }) => sum + y, 0) / Math.max(1, points.length),
});

const distanceOf = ([one, other]: Point[]): number => (one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0);

/** What is at the point stays there. */
function zoomedAround({ scale, x, y }: Position, point: Point, wanted: number): Position {
  const next = Math.min(maxZoomed, Math.max(1, wanted));
  const ratio = next / scale;
  return { scale: next, x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio };
}

/** A zoomed picture cannot be dragged out of sight. */
function limit({ scale, x, y }: Position, stage: HTMLElement | null): Position {
  if (scale <= 1) return atRest;
  const [maxX, maxY] = [stage?.clientWidth ?? 0, stage?.clientHeight ?? 0].map((size) => (size * (scale - 1)) / 2);
  const clamp = (value: number, max = 0) => Math.min(max, Math.max(-max, value));
  return { scale, x: clamp(x, maxX), y: clamp(y, maxY) };
}
