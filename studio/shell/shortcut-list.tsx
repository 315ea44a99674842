import { listShortcutsByPart } from "../lib/shortcuts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/menu.tsx";
import { frameTexts as t } from "./texts.ts";

/** The shortcuts of the screen that is open, then those that work everywhere. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t.shortcuts} onClose={onClose} isRead>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-2">
        {listShortcutsByPart().map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
