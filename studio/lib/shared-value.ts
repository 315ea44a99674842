import { useSyncExternalStore } from "react";

/** A value outside of the screens, which those that use it show again when it changes. */
export function createSharedValue<Value>(first: Value) {
  let value = first;
  const listeners = new Set<() => void>();
  const read = (): Value => value;
  const follow = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    read,
    follow,
    change(next: Value): void {
      value = next;
      for (const listener of listeners) listener();
    },
    use: (): Value => useSyncExternalStore(follow, read),
  };
}
