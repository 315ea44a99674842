import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { File as StoredFile } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { useMe } from "../lib/me.ts";
import { Button } from "../ui/button.tsx";
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { Archives } from "./archives.tsx";
import { archivesQuery, reloadImports } from "./query.ts";
import { moveInTexts as t } from "./texts.ts";

/** Uploads archives, and imports them. */
export function NewImport() {
  const archives = useQuery(archivesQuery(useMe().username));
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  return (
    <Card>
      <h2 className="text-lg font-semibold">{t.archives}</h2>
      <p className="mt-1 mb-4 text-soft">{t.archivesHint}</p>
      <Result of={archives}>
        {(files) => (
          <>
            <Archives files={files} left={left} onLeft={setLeft} />
            {files.length > 0 && <Options files={files.filter(({ id }) => !left.has(id))} />}
          </>
        )}
      </Result>
    </Card>
  );
}

type Who = keyof typeof t.whos;
const switches = ["photos", "albums", "people"] as const;

function Options({ files }: { files: StoredFile[] }) {
  const navigate = useNavigate();
  const [who, setWho] = useState<Who>("source");
  const [to, setTo] = useState("");
  const [chosen, setChosen] = useState({ photos: true, albums: false, people: false });
  const begin = useMutation({
    mutationFn: (dryRun: boolean) =>
      api.createImport({
        fileIDs: files.map(({ id }) => id),
        ...chosen,
        ...(who !== "source" && { visibility: who }),
        ...(to.trim() && { to: to.trim() }),
        dryRun,
      }),
    onSuccess: ({ id }) => navigate({ to: "/move-in/$id", params: { id: String(id) } }),
    onSettled: reloadImports,
  });
  const isTrial = begin.isPending && begin.variables;
  return (
    <form
      aria-label={t.options}
      className="mt-6 grid gap-5 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate(false);
      }}
    >
      <h2 className="text-lg font-semibold">{t.options}</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label={t.who}
          hint={t.whoHint}
          value={who}
          onChange={({ target }) => setWho(target.value as Who)}
          options={Object.entries(t.whos).map(([value, label]) => ({ value, label }))}
        />
        <TextField label={t.to} hint={t.toHint} value={to} onChange={({ target }) => setTo(target.value)} />
      </div>
      {switches.map((name) => (
        <CheckField
          key={name}
          label={t[name]}
          {...(name === "photos" && { hint: t.photosHint })}
          checked={chosen[name]}
          onChange={({ target }) => setChosen({ ...chosen, [name]: target.checked })}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="main" isBusy={begin.isPending && !isTrial} disabled={files.length === 0}>
          {t.start}
        </Button>
        <Button isBusy={isTrial ?? false} disabled={files.length === 0} onClick={() => begin.mutate(true)}>
          {t.try}
        </Button>
        <p className="text-sm text-soft">{t.tryHint}</p>
      </div>
    </form>
  );
}
