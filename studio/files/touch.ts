import { type MouseEvent, type PointerEvent, useRef } from "react";
import type { FolderActions } from "./folder-actions.ts";

const longPress = 450;

/** The index of the entry under the pointer; -1 for none. */
const indexAt = ({ target }: { target: EventTarget }): number =>
  Number((target as Element).closest<HTMLElement>("[data-index]")?.dataset.index ?? -1);

/**
 * The mouse selects with a click and opens with two. A finger opens with a tap and selects when it stays; then taps select
 * more.
 */
export function usePointer(actions: FolderActions) {
  const { choice, folder } = actions;
  const pointer = useRef({ type: "mouse", x: 0, y: 0, isLong: false });
  const isSelecting = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const cancel = () => clearTimeout(timer.current);

  return {
    onPointerDown(event: PointerEvent): void {
      pointer.current = { type: event.pointerType, x: event.clientX, y: event.clientY, isLong: false };
      const index = indexAt(event);
      cancel();
      if (event.pointerType === "mouse" || index < 0) return;
      timer.current = setTimeout(() => {
        pointer.current.isLong = true;
        isSelecting.current = true;
        choice.select(index, { isToggle: true });
        navigator.vibrate?.(10);
      }, longPress);
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      if (Math.hypot(clientX - pointer.current.x, clientY - pointer.current.y) > 10) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    /** A finger that stays selects; it does not open the menu. */
    onContextMenuCapture(event: MouseEvent): void {
      if (pointer.current.type !== "mouse" && event.isTrusted && event.nativeEvent.isTrusted) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const index = indexAt(event);
      const id = folder.entries[index]?.id;
      if (id === undefined) choice.clear();
      else if (!choice.ids.has(id)) choice.select(index);
    },
    onClick(event: MouseEvent): void {
      const index = indexAt(event);
      const entry = folder.entries[index];
      if (!entry || (event.target as Element).closest("button, input")) return;
      if (pointer.current.isLong) return void (pointer.current.isLong = false);
      const isToggle = event.ctrlKey || event.metaKey;
      if (pointer.current.type === "mouse")
        choice.select(index, { isToggle, isRange: event.shiftKey, isKept: isToggle });
      else if (isSelecting.current && choice.selected.length > 0) choice.select(index, { isToggle: true });
      else {
        isSelecting.current = false;
        choice.clear();
        actions.open(entry);
      }
    },
    onDoubleClick(event: MouseEvent): void {
      const entry = folder.entries[indexAt(event)];
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (entry && isPlain && pointer.current.type === "mouse" && !(event.target as Element).closest("button, input")) {
        actions.open(entry);
      }
    },
  };
}
