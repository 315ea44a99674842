import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "../lib/commands.ts";
import { Button } from "../ui/button.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { webhooksQuery } from "./query.ts";
import { webhookTexts as t } from "./texts.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookLine } from "./webhook-line.tsx";

/** A part of the settings: to which other programs changes are sent. */
export function WebhooksCard() {
  const webhooks = useQuery(webhooksQuery);
  const [isCreating, setIsCreating] = useState(false);
  useCommands([{ label: t.create, group: t.title, run: () => setIsCreating(true) }]);
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-lg font-semibold">{t.title}</h2>
          <p className="text-sm text-soft">{t.hint}</p>
        </div>
        <Button icon={<Plus />} onClick={() => setIsCreating(true)}>
          {t.create}
        </Button>
      </div>
      <div className="mt-3">
        <Result of={webhooks}>
          {(list) =>
            list.length === 0 ? (
              <p className="py-3 text-soft">{t.none}</p>
            ) : (
              <ul className="divide-y divide-line">
                {list.map((webhook) => (
                  <WebhookLine key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            )
          }
        </Result>
      </div>
      {isCreating && <WebhookDialog onClose={() => setIsCreating(false)} />}
    </Card>
  );
}
