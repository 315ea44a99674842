import { useJobs } from "../lib/jobs.ts";
import { translate } from "../lib/language.ts";
import { words } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { Progress } from "./screen.tsx";

const t = translate({
  en: { jobs: "Work in progress", of: (done: string, total: string) => `${done} of ${total}` },
  de: { jobs: "Laufende Arbeiten", of: (done: string, total: string) => `${done} von ${total}` },
});

/** Work of many requests that is under way. */
export function JobTray() {
  const jobs = useJobs();
  if (jobs.length === 0) return null;
  return (
    <section
      aria-label={t.jobs}
      className="fixed inset-x-2 top-16 z-40 grid gap-3 rounded-card border border-line bg-surface p-4 shadow-float appear md:right-4 md:left-auto md:w-80"
    >
      {jobs.map(({ id, label, done, total, print, stop }) => (
        <div key={id} className="grid gap-2">
          <div className="flex items-center gap-3">
            <p className="min-w-0 flex-1 truncate">{label}</p>
            <Button variant="quiet" onClick={stop}>
              {words.cancel}
            </Button>
          </div>
          <Progress label={label} {...(total > 0 && { value: done / total })} />
          {total > 0 && <p className="text-sm text-soft">{t.of(print(done), print(total))}</p>}
        </div>
      ))}
    </section>
  );
}
