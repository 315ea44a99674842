import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { MailState } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { mailStateQuery } from "./query.ts";
import { mailTexts as t } from "./texts.ts";

/** A part of the settings: whether mail works. */
export function MailCard() {
  const state = useQuery(mailStateQuery);
  return (
    <Card>
      <h2 className="text-lg font-semibold">{t.title}</h2>
      <p className="text-sm text-soft">{t.hint}</p>
      <div className="mt-3">
        <Result of={state}>
          {(found) => (found.isConfigured ? <Configured state={found} /> : <p className="py-3 text-soft">{t.off}</p>)}
        </Result>
      </div>
    </Card>
  );
}

function Configured({ state: { from, server, waiting, failed, reason } }: { state: MailState }) {
  const lines = [
    t.from(from ?? "", server ?? ""),
    waiting > 0 && t.waiting(waiting),
    failed > 0 && t.failed(failed),
    reason && t.reason(reason),
  ];
  return (
    <div className="grid gap-4">
      <div className="wrap-anywhere">{lines.map((line) => line && <p key={line}>{line}</p>)}</div>
      <TestMail />
    </div>
  );
}

function TestMail() {
  const queries = useQueryClient();
  const [to, setTo] = useState("");
  const test = useMutation({
    mutationFn: () => api.sendTestMail({ to: to.trim() }),
    onError() {},
    onSettled: () => queries.invalidateQueries({ queryKey: ["mail"] }),
  });
  const refusal = test.data && !test.data.isSent ? t.notSent(test.data.reason ?? "") : null;
  return (
    <form
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        test.mutate();
      }}
    >
      <div className="min-w-0 flex-1 basis-64">
        <TextField
          type="email"
          label={t.testTo}
          autoComplete="email"
          required
          maxLength={254}
          value={to}
          onChange={(event) => {
            setTo(event.target.value);
            test.reset();
          }}
          hint={test.data?.isSent ? <span role="status">{t.sent(to)}</span> : undefined}
          error={test.error ? explain(test.error) : refusal}
        />
      </div>
      <Button type="submit" className="mt-7" isBusy={test.isPending}>
        {words.send}
      </Button>
    </form>
  );
}
