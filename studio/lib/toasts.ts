import { createSharedValue } from "./shared-value.ts";

export type Toast = {
  text: string;
  isFailure?: boolean;
  undo?: () => void;
  retry?: () => void;
  /** What the person may want to do next. */
  action?: { label: string; run: () => void };
};

export type ShownToast = Toast & { id: number };
const toasts = createSharedValue<readonly ShownToast[]>([]);
let lastID = 0;

/** Says what has happened, at the lower edge. Instead of asking before, offer `undo`. */
export function showToast(toast: Toast): void {
  const others = toasts.read().filter(({ text }) => text !== toast.text);
  toasts.change([...others.slice(-2), { ...toast, id: ++lastID }]);
}

export const removeToast = (id: number) => toasts.change(toasts.read().filter((toast) => toast.id !== id));

/** What the button of the newest message does that has one. */
export function undoLast(): void {
  const last = toasts.read().findLast(({ undo }) => undo);
  if (!last) return;
  removeToast(last.id);
  last.undo?.();
}

export const useToasts = toasts.use;
