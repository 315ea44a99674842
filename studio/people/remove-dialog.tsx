import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Person } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { RadioField } from "../ui/field.tsx";
import { peopleTexts as t } from "./texts.ts";

/** Asks, because the account cannot be brought back. */
export function RemoveDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const queries = useQueryClient();
  const [records, setRecords] = useState<"trash" | "give">("trash");
  const [giveTo, setGiveTo] = useState("");
  const others = useQuery({
    queryKey: ["people", "all"],
    queryFn: ({ signal }) => api.listPeople({ pageSize: 200 }, { signal }),
  });
  const remove = useMutation({
    mutationFn: () =>
      api.removePerson({ id: person.id, ...(records === "trash" ? { records } : { giveTo: Number(giveTo) }) }),
    onSuccess() {
      showToast({ text: t.removed(person.username) });
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });

  return (
    <Dialog
      title={t.removeTitle(person.username)}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="danger" isBusy={remove.isPending} disabled={records === "give" && !giveTo}>
            {t.removeNow}
          </Button>
        </>
      }
    >
      <fieldset className="grid gap-4">
        <legend className="mb-4">{t.removeHint}</legend>
        <RadioField
          name="records"
          label={t.toTrash}
          hint={t.toTrashHint}
          checked={records === "trash"}
          onChange={() => setRecords("trash")}
        />
        <div className="flex flex-wrap items-center gap-3">
          <RadioField
            name="records"
            label={t.giveTo}
            checked={records === "give"}
            onChange={() => setRecords("give")}
          />
          <select
            aria-label={t.choose}
            className="control flex-1"
            value={giveTo}
            onChange={(event) => {
              setGiveTo(event.target.value);
              setRecords("give");
            }}
          >
            <option value="">{t.choose}</option>
            {others.data?.items
              .filter(({ id, isBeingRemoved }) => id !== person.id && !isBeingRemoved)
              .map(({ id, username }) => (
                <option key={id} value={id}>
                  {username}
                </option>
              ))}
          </select>
        </div>
      </fieldset>
    </Dialog>
  );
}
