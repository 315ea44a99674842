import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { useIsAdmin, useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { CheckField, RadioField, SelectField, TextField } from "../ui/field.tsx";
import { Card, Result } from "../ui/screen.tsx";
import { Archives } from "./archives.tsx";
import { archivesQuery, reloadImports } from "./query.ts";
import { rememberKey } from "./remembered-keys.ts";
import { noServer, otherProblem, ServerFields, type ServerKind } from "./server-fields.tsx";
import { serverTexts } from "./server-texts.ts";
import { moveInTexts as t } from "./texts.ts";

type Who = keyof typeof t.whos;
type Place = keyof typeof serverTexts.places;
type Choice = "photos" | "albums" | "people" | "stars" | "hidden";

const places: Place[] = ["upload", "server", "disk"];
const choices: Choice[] = ["photos", "albums", "people", "stars", "hidden"];
/** What there is to choose: Immich and another Vitrine know their photos and albums. */
const choicesOf: Record<ServerKind, Choice[]> = {
  immich: ["people"],
  webdav: ["photos", "albums", "stars", "hidden"],
  vitrine: [],
};

/** Where the source is, how it is imported, and the buttons for that. */
export function NewImport() {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const archives = useQuery(archivesQuery(useMe().username));
  const [place, setPlace] = useState<Place>("upload");
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [server, setServer] = useState(noServer);
  const [folder, setFolder] = useState("");
  const [who, setWho] = useState<Who>("private");
  const [to, setTo] = useState("");
  const [chosen, setChosen] = useState({ photos: true, albums: false, people: false, stars: false, hidden: false });
  const files = (archives.data ?? []).filter(({ id }) => !left.has(id));

  function readPlace() {
    if (place === "upload") return { fileIDs: files.map(({ id }) => id) };
    if (place === "disk") return { folder: folder.trim() };
    const { kind, url, username, key } = server;
    return {
      server: { kind, url: url.trim(), ...(kind !== "immich" && { username: username.trim() }) },
      key: key.trim(),
    };
  }

  const begin = useMutation({
    mutationFn: (dryRun: boolean) =>
      api.createImport({
        ...readPlace(),
        ...Object.fromEntries(offered.map((name) => [name, chosen[name]])),
        visibility: who,
        ...(to.trim() && { to: to.trim() }),
        dryRun,
      }),
    onSuccess({ id }, isTrial) {
      if (isTrial && place === "server") rememberKey(id, server.key.trim());
      return navigate({ to: "/move-in/$id", params: { id: String(id) } });
    },
    // It is shown in the form.
    onError: () => {},
    onSettled: reloadImports,
  });
  const offered = place === "server" ? choicesOf[server.kind] : choices;
  const isTrial = begin.isPending && begin.variables;
  const isReady = place !== "upload" || (archives.data ?? []).length > 0;
  const isEmpty = place === "upload" && files.length === 0;
  const problem = otherProblem(begin.error);
  return (
    <Card>
      <form
        aria-label={t.title}
        className="grid grid-cols-1 gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent;
          begin.mutate(submitter?.getAttribute("value") === "trial");
        }}
      >
        {isAdmin && (
          <fieldset className="grid gap-3">
            <legend className="mb-3 text-lg font-semibold">{serverTexts.where}</legend>
            <div className="grid gap-3 md:grid-cols-3">
              {places.map((name) => (
                <RadioField
                  key={name}
                  name="place"
                  className="rounded-card border border-line p-3 has-checked:border-accent has-checked:bg-tint"
                  label={serverTexts.places[name].label}
                  hint={serverTexts.places[name].hint}
                  checked={place === name}
                  onChange={() => {
                    setPlace(name);
                    begin.reset();
                  }}
                />
              ))}
            </div>
          </fieldset>
        )}
        {place === "upload" && (
          <div>
            {!isAdmin && <h2 className="text-lg font-semibold">{t.archives}</h2>}
            <p className="mt-1 mb-4 text-soft">{t.archivesHint}</p>
            <Result of={archives}>{(all) => <Archives files={all} left={left} onLeft={setLeft} />}</Result>
          </div>
        )}
        {place === "server" && <ServerFields value={server} onChange={setServer} error={begin.error} />}
        {place === "disk" && (
          <TextField
            label={serverTexts.folder}
            hint={serverTexts.folderHint}
            value={folder}
            onChange={({ target }) => setFolder(target.value)}
          />
        )}
        {isReady && (
          <>
            <h2 className="border-t border-line pt-5 text-lg font-semibold">{t.options}</h2>
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
            {offered.map((name) => (
              <CheckField
                key={name}
                label={t[name]}
                {...(name === "photos" && place !== "server" && { hint: t.photosHint })}
                checked={chosen[name]}
                onChange={({ target }) => setChosen({ ...chosen, [name]: target.checked })}
              />
            ))}
            {problem && (
              <p role="alert" className="wrap-anywhere text-danger">
                {problem}
              </p>
            )}
            <div className="flex flex-wrap items-center gap-2">
              <Button type="submit" variant="main" isBusy={begin.isPending && !isTrial} disabled={isEmpty}>
                {words.import}
              </Button>
              <Button type="submit" value="trial" isBusy={isTrial ?? false} disabled={isEmpty}>
                {t.try}
              </Button>
              <p className="text-sm text-soft">{t.tryHint}</p>
            </div>
          </>
        )}
      </form>
    </Card>
  );
}
