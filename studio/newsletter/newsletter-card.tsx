import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../lib/api.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { settingsQuery } from "../settings/settings.ts";
import { buttonClass } from "../ui/button.tsx";
import { CheckField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { newsletterQuery, reloadNewsletter } from "./query.ts";
import { newsletterTexts as t } from "./texts.ts";

/** A part of the settings: whether there is a newsletter, and the way to its subscribers. */
export function NewsletterCard() {
  const newsletter = useQuery(newsletterQuery);
  const change = useMutation({
    mutationFn: (isOn: boolean) => api.changeSettings({ newsletter: isOn }),
    onSuccess: (settings) => {
      queries.setQueryData(settingsQuery.queryKey, settings);
      showToast({ text: settings.newsletter ? t.switchedOn : t.switchedOff });
    },
    onSettled: reloadNewsletter,
  });
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-lg font-semibold">{t.title}</h2>
          <p className="text-sm text-soft">{t.hint}</p>
        </div>
        <Link to="/settings/newsletter" className={buttonClass()}>
          {t.show}
        </Link>
      </div>
      <div className="mt-4">
        <Result of={newsletter}>
          {({ isOn, isPossible, confirmed }) => (
            <CheckField
              role="switch"
              label={t.isOn}
              hint={isPossible ? t.subscribers(confirmed) : t.impossible}
              checked={change.isPending ? change.variables : isOn}
              disabled={!isPossible || change.isPending}
              onChange={({ target }) => change.mutate(target.checked)}
            />
          )}
        </Result>
      </div>
    </Card>
  );
}
