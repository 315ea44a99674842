import { TriangleAlert } from "lucide-react";
import type { Passkey } from "../../client/src/index.ts";
import { formatAgo, formatDay } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { passkeyTexts as t } from "./texts.ts";

type Props = { passkey: Passkey; onRename: () => void; onRemove: () => void };

export function PasskeyLine({ passkey, onRename, onRemove }: Props) {
  const { name, createdAt, lastUsedAt, isSynced, isCopied, site } = passkey;
  const about = [
    t.created(formatDay(createdAt)),
    lastUsedAt ? words.lastUsed(formatAgo(lastUsedAt)) : words.neverUsed,
    isSynced && t.synced,
    site !== location.hostname && t.otherSite(site),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <div className="min-w-48 flex-1">
        <p className="truncate font-medium" dir="auto">
          {name}
        </p>
        <p className="text-sm text-soft">{about.filter(Boolean).join(" · ")}</p>
        {isCopied && (
          <p className="mt-1 flex gap-2 text-sm text-danger">
            <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
            {t.copied}
          </p>
        )}
      </div>
      <div className="flex gap-1">
        <Button variant="quiet" aria-label={t.renameOf(name)} onClick={onRename}>
          {words.rename}
        </Button>
        <Button variant="quiet" aria-label={words.removeOne(name)} onClick={onRemove}>
          {words.remove}
        </Button>
      </div>
    </li>
  );
}
