import { useSyncExternalStore } from "react";
import { useIsUnreachable } from "../lib/connection.ts";
import { frameTexts as t } from "./texts.ts";

export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isUnreachable = useIsUnreachable();
  if (isOnline && !isUnreachable) return null;
  return (
    <p role="status" className="border-b border-line bg-mark px-4 py-2 text-ink md:px-8">
      {isOnline ? t.unreachable : t.offline} {t.keepWriting}
    </p>
  );
}

function subscribe(listener: () => void) {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
