import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { writerTexts as t } from "./texts.ts";

type Props = { at: string | null; onClose: () => void; onChosen: (time: string) => void };

export function ScheduleDialog({ at, onClose, onChosen }: Props) {
  const [value, setValue] = useState(() => toLocal(at === null ? tomorrow() : new Date(at)));
  const [error, setError] = useState<string | null>(null);
  return (
    <Dialog
      title={t.scheduleTitle}
      onClose={onClose}
      onSubmit={() => {
        const time = new Date(value);
        if (Number.isNaN(time.getTime()) || time.getTime() <= Date.now()) setError(t.past);
        else onChosen(time.toISOString());
      }}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="main">
            {t.schedule}
          </Button>
        </>
      }
    >
      <TextField
        label={t.when}
        type="datetime-local"
        hint={t.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
        error={error}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </Dialog>
  );
}

/** At nine in the morning. */
function tomorrow(): Date {
  const time = new Date();
  time.setDate(time.getDate() + 1);
  time.setHours(9, 0, 0, 0);
  return time;
}

/** As a field for local times needs it: `2026-11-16T09:00`. */
function toLocal(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
