import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Import } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { useIsAdmin } from "../lib/me.ts";
import { Button } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { reloadImports } from "./query.ts";
import { recallKey } from "./remembered-keys.ts";
import { KeyField, otherProblem, refusalOf } from "./server-fields.tsx";
import { serverTexts } from "./server-texts.ts";
import { moveInTexts as t } from "./texts.ts";

const maxPeople = 200;

/** Imports what a trial has read, after what it leaves to choose. */
export function ImportNow({ import: { id, plan } }: { import: Import }) {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const [key, setKey] = useState("");
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const remembered = recallKey(id);
  const authors = useQuery({
    queryKey: ["imports", id, "authors"],
    queryFn: ({ signal }) => api.listImportItems({ id, kind: "person", cursor: "", pageSize: maxPeople }, { signal }),
    enabled: isAdmin,
  });
  const names = authors.data?.items.map(({ name }) => name) ?? [];
  const people = useQuery({
    queryKey: ["people", "all"],
    queryFn: ({ signal }) => api.listPeople({ pageSize: maxPeople }, { signal }),
    enabled: names.length > 0,
  });
  const accounts = people.data?.items.map(({ username }) => username) ?? [];
  // An account of the same name is taken for theirs.
  const accountOf = (name: string) => chosen[name] ?? (accounts.includes(name) ? name : "");
  const begin = useMutation({
    mutationFn: () =>
      api.createImport({
        ...plan,
        ...(plan?.server && { key: remembered ?? key.trim() }),
        ...(names.length > 0 && {
          authors: names.flatMap((theirs) => (accountOf(theirs) ? [{ theirs, ours: accountOf(theirs) }] : [])),
        }),
        dryRun: false,
      }),
    onSuccess: (begun) => navigate({ to: "/move-in/$id", params: { id: String(begun.id) } }),
    // It is shown in the form.
    onError: () => {},
    onSettled: reloadImports,
  });
  const problem = refusalOf(begin.error, "server") ?? otherProblem(begin.error);
  return (
    <form
      aria-label={t.importNow}
      className="mt-5 grid gap-5 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        begin.mutate();
      }}
    >
      {names.length > 0 && (
        <fieldset className="grid gap-4 sm:grid-cols-2">
          <legend className="mb-1 font-semibold">{serverTexts.authors}</legend>
          <p className="text-sm text-soft sm:col-span-2">{serverTexts.authorsHint}</p>
          {names.map((name) => (
            <SelectField
              key={name}
              label={name}
              value={accountOf(name)}
              onChange={({ target }) => setChosen({ ...chosen, [name]: target.value })}
              options={[
                { value: "", label: serverTexts.newAccount },
                ...accounts.map((account) => ({ value: account, label: account })),
              ]}
            />
          ))}
        </fieldset>
      )}
      {plan?.server && remembered === null && (
        <div className="max-w-md">
          <KeyField kind={plan.server.kind ?? "immich"} value={key} onChange={setKey} error={begin.error} />
        </div>
      )}
      {problem && (
        <p role="alert" className="wrap-anywhere text-danger">
          {problem}
        </p>
      )}
      <div>
        <Button type="submit" variant="main" isBusy={begin.isPending}>
          {t.importNow}
        </Button>
      </div>
    </form>
  );
}
