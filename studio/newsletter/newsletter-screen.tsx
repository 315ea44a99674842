import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Download, Mail, Upload } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { Subscriber } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { formatNumber } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { MoreButton } from "../ui/more-button.tsx";
import { RemoveDialog } from "../ui/remove-dialog.tsx";
import { Empty, Result, Screen } from "../ui/screen.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { type Filter, newsletterQuery, reloadNewsletter, useSubscribers } from "./query.ts";
import { SentPosts } from "./sent-posts.tsx";
import { SubscriberLine } from "./subscriber-line.tsx";
import { newsletterTexts as t } from "./texts.ts";

const filters = ["all", "confirmed", "pending", "unsubscribed", "bouncing"] as const;

type Open = { remove: Subscriber } | "import" | null;

/** Who subscribes to new posts, and which were sent. */
export function NewsletterScreen() {
  const [text, setText] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const [open, setOpen] = useState<Open>(null);
  const q = useDeferredValue(text.trim());
  const newsletter = useQuery(newsletterQuery);
  const listed = useSubscribers(filter, q);
  const subscribers = listed.data ?? [];
  const numbers = newsletter.data;
  const countOf = (name: Filter): number => {
    if (!numbers) return 0;
    const { pending, confirmed, unsubscribed, bouncing } = numbers;
    return name === "all" ? pending + confirmed + unsubscribed + bouncing : numbers[name];
  };
  const isEmpty = numbers !== undefined && countOf("all") === 0;
  const importButton = (
    <Button icon={<Upload />} onClick={() => setOpen("import")}>
      {words.import}
    </Button>
  );
  const actions = (
    <>
      {importButton}
      <a href="/api/v1/newsletter/export" download="subscribers.csv" className={buttonClass()}>
        <Download aria-hidden="true" />
        {t.export}
      </a>
    </>
  );
  return (
    <Screen title={t.title} actions={numbers && !isEmpty && actions}>
      <Link to="/settings" className={classes(buttonClass("quiet"), "mb-2")}>
        <ArrowLeft aria-hidden="true" />
        {words.settings}
      </Link>
      {numbers && !numbers.isPossible && <p className="mb-4 text-soft">{t.impossible}</p>}
      {isEmpty ? (
        <Empty icon={<Mail />} title={t.none} action={importButton}>
          {t.noneHint}
        </Empty>
      ) : (
        <Result of={listed}>
          {() => (
            <>
              <div className="mb-4 grid gap-3 md:flex md:items-center md:justify-between">
                <div role="group" aria-label={words.state} className="flex flex-wrap gap-1">
                  {filters
                    .filter((name) => name === filter || countOf(name) > 0)
                    .map((name) => (
                      <Button
                        key={name}
                        variant="quiet"
                        aria-pressed={name === filter}
                        className="text-soft aria-pressed:bg-tint aria-pressed:font-medium aria-pressed:text-ink"
                        onClick={() => setFilter(name)}
                      >
                        {t.states[name]} <span className="tabular-nums">{formatNumber(countOf(name))}</span>
                      </Button>
                    ))}
                </div>
                <SearchField label={t.search} value={text} onChange={setText} className="w-full md:max-w-xs" />
              </div>
              {subscribers.length === 0 ? (
                <Empty title={t.noMatch}>{q && t.noMatchHint}</Empty>
              ) : (
                <ul className="divide-y divide-line rounded-card border border-line bg-surface">
                  {subscribers.map((subscriber) => (
                    <SubscriberLine
                      key={subscriber.id}
                      subscriber={subscriber}
                      onRemove={() => setOpen({ remove: subscriber })}
                    />
                  ))}
                </ul>
              )}
            </>
          )}
        </Result>
      )}
      <MoreButton of={listed} className="mt-4" />
      <SentPosts />
      {open === "import" && <ImportDialog onClose={() => setOpen(null)} />}
      {open !== null && open !== "import" && (
        <RemoveDialog
          title={t.removeTitle}
          action={words.delete}
          act={() => api.deleteSubscriber({ id: open.remove.id })}
          onDone={() => showToast({ text: t.removed(open.remove.email) })}
          onSettled={reloadNewsletter}
          onClose={() => setOpen(null)}
        >
          <p className="mb-2 font-medium wrap-anywhere">{open.remove.email}</p>
          <p>{t.removeHint}</p>
        </RemoveDialog>
      )}
    </Screen>
  );
}
