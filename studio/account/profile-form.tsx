import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Profile, VitrineError } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { LinkFields } from "./link-fields.tsx";
import { PortraitField } from "./portrait-field.tsx";
import { accountTexts as t } from "./texts.ts";

const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: ({ signal }) => api.readProfile({}, { signal }),
});

/** What the site shows of a person besides the username. */
export function ProfileForm() {
  const profile = useQuery(profileQuery);
  return (
    <Card>
      <h2 className="text-lg font-semibold">{t.profileTitle}</h2>
      <p className="mb-4 text-sm text-soft">{t.profileHint}</p>
      <Result of={profile}>{(stored) => <Fields stored={stored} />}</Result>
    </Card>
  );
}

const maxAbout = 500;

function Fields({ stored }: { stored: Profile }) {
  const queries = useQueryClient();
  const [value, setValue] = useState(() => ({
    displayName: stored.displayName ?? "",
    about: stored.about,
    portraitID: stored.portraitID,
    links: stored.links.map(({ url, label }) => ({ url, label: label ?? "" })),
  }));
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () =>
      api.changeProfile({
        displayName: value.displayName.trim() || null,
        about: value.about,
        portraitID: value.portraitID,
        links: value.links
          .filter(({ url }) => url.trim() !== "")
          .map(({ url, label }) => ({ url: url.trim(), label: label.trim() || null })),
      }),
    onSuccess(saved) {
      queries.setQueryData(profileQuery.queryKey, saved);
      showToast({ text: t.saved });
    },
    // Errors are shown at their fields.
    onError() {},
  });
  const change = (changed: Partial<typeof value>) => {
    setValue({ ...value, ...changed });
    reset();
  };
  const field = error instanceof VitrineError ? (error.field ?? "") : "";
  const problemOf = (name: string) => (error && field.split(".")[0] === name ? explain(error) : null);
  const known = ["displayName", "about", "links"];

  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <PortraitField id={value.portraitID} name={value.displayName} onChange={(portraitID) => change({ portraitID })} />
      <TextField
        label={t.displayName}
        hint={t.displayNameHint}
        error={problemOf("displayName")}
        maxLength={80}
        autoComplete="name"
        dir="auto"
        value={value.displayName}
        onChange={({ target }) => change({ displayName: target.value })}
      />
      <TextArea
        label={t.about}
        hint={t.aboutHint(maxAbout - value.about.length)}
        error={problemOf("about")}
        rows={3}
        maxLength={maxAbout}
        dir="auto"
        value={value.about}
        onChange={({ target }) => change({ about: target.value })}
      />
      <LinkFields links={value.links} error={problemOf("links")} onChange={(links) => change({ links })} />
      {error && !known.some(problemOf) && (
        <p role="alert" className="text-danger">
          {explain(error)}
        </p>
      )}
      <div>
        <Button type="submit" variant="main" isBusy={isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
