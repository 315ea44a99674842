import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Person } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { RadioField } from "../ui/field.tsx";
import { RemoveDialog } from "../ui/remove-dialog.tsx";
import { peopleTexts as t } from "./texts.ts";

/** Asks, because the account cannot be brought back. */
export function RemovePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const queries = useQueryClient();
  const [records, setRecords] = useState<"trash" | "give">("trash");
  const [giveTo, setGiveTo] = useState("");
  const others = useQuery({
    queryKey: ["people", "all"],
    queryFn: ({ signal }) => api.listPeople({ pageSize: 200 }, { signal }),
  });
  const remove = () =>
    api.removePerson({ id: person.id, ...(records === "trash" ? { records } : { giveTo: Number(giveTo) }) });

  return (
    <RemoveDialog
      title={words.removeOne(person.username)}
      action={t.removeNow}
      isDisabled={records === "give" && !giveTo}
      act={remove}
      onDone={() => showToast({ text: t.removed(person.username) })}
      onSettled={() => queries.invalidateQueries({ queryKey: ["people"] })}
      onClose={onClose}
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
    </RemoveDialog>
  );
}
