import { useMutation } from "@tanstack/react-query";
import { RotateCcw, Trash2, UserMinus } from "lucide-react";
import type { Subscriber } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatDay } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { MoreMenu } from "../ui/menu.tsx";
import { reloadNewsletter } from "./query.ts";
import { newsletterTexts as t } from "./texts.ts";

type Props = { subscriber: Subscriber; onRemove: () => void };

/** One address: its state, and what can be done with it. */
export function SubscriberLine({ subscriber, onRemove }: Props) {
  const { id, email, name, state, bounce } = subscriber;
  const change = useMutation({
    mutationFn: (to: "confirmed" | "unsubscribed") => api.changeSubscriber({ id, state: to }),
    onSuccess: (_, to) => showToast({ text: to === "confirmed" ? t.restored(email) : t.ended(email) }),
    onSettled: reloadNewsletter,
  });
  return (
    <li className="flex items-start gap-3 py-2.5 pr-1.5 pl-3 sm:pl-4">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          <span className="font-medium">{email}</span>
          {name && (
            <span className="text-soft" dir="auto">
              {" "}
              {name}
            </span>
          )}
        </p>
        <p className="text-sm text-soft">
          <span className={state === "bouncing" ? "text-danger" : undefined}>{t.states[state]}</span>
          {` · ${dayOf(subscriber)}`}
        </p>
        {bounce && <p className="text-sm text-soft wrap-anywhere">{bounce}</p>}
      </div>
      <MoreMenu
        label={words.actionsFor(email)}
        items={[
          ...(state === "bouncing"
            ? [{ label: words.retry, icon: <RotateCcw />, run: () => change.mutate("confirmed") }]
            : []),
          ...(state === "unsubscribed"
            ? []
            : [{ label: t.end, icon: <UserMinus />, run: () => change.mutate("unsubscribed") }]),
          null,
          { label: words.delete, icon: <Trash2 />, isDanger: true, run: onRemove },
        ]}
      />
    </li>
  );
}

function dayOf({ state, createdAt, confirmedAt, endedAt }: Subscriber): string {
  if (state === "confirmed") return words.since(formatDay(confirmedAt ?? createdAt));
  return state === "pending" ? t.asked(formatDay(createdAt)) : words.until(formatDay(endedAt ?? createdAt));
}
