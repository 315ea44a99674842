export type Toast = {
  text: string;
  isFailure?: boolean;
  undo?: () => void;
  retry?: () => void;
};

export type Shown = Toast & { id: number };
let shown: readonly Shown[] = [];
let lastID = 0;
const listeners = new Set<() => void>();

/** Says what has happened, at the lower edge. Instead of asking before, offer `undo`. */
export function say(toast: Toast): void {
  const others = shown.filter(({ text }) => text !== toast.text);
  change([...others.slice(-2), { ...toast, id: ++lastID }]);
}

function change(toasts: readonly Shown[]): void {
  shown = toasts;
  for (const listener of listeners) listener();
}

export const removeToast = (id: number) => change(shown.filter((toast) => toast.id !== id));

export const listToasts = (): readonly Shown[] => shown;

export function followToasts(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
