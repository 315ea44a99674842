import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AppKey } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatAgo, formatDay } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { labelOf } from "./scope-label.ts";
import { keyTexts as t } from "./texts.ts";

/** The programs that act for the person. */
export function Keys() {
  const queries = useQueryClient();
  const [isMaking, setIsMaking] = useState(false);
  const listed = useQuery({ queryKey: ["keys"], queryFn: ({ signal }) => api.listKeys({}, { signal }) });
  const remove = useMutation({
    mutationFn: ({ id }: AppKey) => api.removeKey({ id }),
    onSuccess: (_, { name }) => showToast({ text: t.removed(name) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["keys"] }),
  });
  return (
    <Card>
      <h2 className="mb-1 text-lg font-semibold">{t.keys}</h2>
      <p className="text-sm text-soft">{t.hint}</p>
      <Result of={listed}>
        {(keys) => (
          <ul className="divide-y divide-line">
            {keys.map((key) => (
              <li key={key.id} className="flex items-center gap-3 py-3">
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium" dir="auto">
                    {key.name}
                  </p>
                  <p className="text-sm text-soft" dir="auto">
                    {canDo(key)}
                  </p>
                  <p className="text-sm text-soft">{aboutOf(key)}</p>
                </div>
                <Button
                  variant="quiet"
                  aria-label={words.removeOne(key.name)}
                  isBusy={remove.isPending && remove.variables.id === key.id}
                  onClick={() => remove.mutate(key)}
                >
                  {words.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Result>
      <Button className="mt-3" onClick={() => setIsMaking(true)}>
        {t.add}
      </Button>
      {isMaking && <KeyDialog onClose={() => setIsMaking(false)} />}
    </Card>
  );
}

function aboutOf({ lastUsedAt, lastAddress, expiresAt }: AppKey): string {
  const used = lastUsedAt ? t.used(formatAgo(lastUsedAt), lastAddress ?? "") : words.neverUsed;
  if (!expiresAt) return used;
  return [used, Date.parse(expiresAt) > Date.now() ? words.until(formatDay(expiresAt)) : t.expired].join(" · ");
}

/** What it may do, after what it is limited to. */
function canDo({ directoryID, albumID, limitedTo, scopes }: AppKey): string {
  const where = directoryID !== null ? "directory" : albumID !== null ? "album" : "everywhere";
  if (where !== "everywhere" && limitedTo === null) return t.limitGone;
  const only = limitedTo === null ? [] : [where === "album" ? t.onlyAlbum(limitedTo) : t.onlyDirectory(limitedTo)];
  return [...only, ...scopes.map((scope) => labelOf(scope, where))].join(" · ");
}
