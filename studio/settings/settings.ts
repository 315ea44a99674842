import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Settings, type SettingsChanges, VitrineError } from "../../client/src/index.ts";
import { keptInTab } from "../lib/account.ts";
import { api } from "../lib/api.ts";
import { changeDefaultVisibility, changeOriginalVisibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { changeSiteName } from "../lib/site-name.ts";
import { showToast } from "../lib/toasts.ts";
import { settingsTexts as t } from "./texts.ts";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: ({ signal }) => api.readSettings({}, { signal }),
});

export type Values = Omit<Settings, "defaultMenu" | "fromEnvironment">;
type Name = keyof Values;
/** What is being saved, and the values that undo it: when the response is here, the screen may already show the new ones. */
type Pending = { changes: SettingsChanges; before: SettingsChanges };

/** Values that were changed but not saved, so that they are still there after another screen, or after a reload. */
const drafts = {
  read: (section: string) => JSON.parse(keptInTab.get(`settings:${section}`) ?? "{}") as Partial<Values>,
  write(section: string, draft: Partial<Values>) {
    if (Object.keys(draft).length === 0) keptInTab.remove(`settings:${section}`);
    else keptInTab.set(`settings:${section}`, JSON.stringify(draft));
  },
};

/** The values that one section shows, and what saves them. */
export function useSection(section: string, saved: Settings) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => drafts.read(section));
  const keep = (changed: Partial<Values>) => {
    drafts.write(section, changed);
    setDraft(changed);
  };
  const store = async (changes: SettingsChanges) => {
    const stored = await api.changeSettings(changes);
    queries.setQueryData(settingsQuery.queryKey, stored);
    changeSiteName(stored.siteName);
    changeDefaultVisibility(stored.defaultVisibility);
    changeOriginalVisibility(stored.originalVisibility);
    return stored;
  };
  const changes = without(draft, [saved]);
  const save = useMutation({
    mutationFn: (pending: Pending) => store(pending.changes),
    onSuccess(stored, { changes: sent, before }) {
      // What was changed since then is not saved yet.
      keep(without(drafts.read(section), [sent, stored]));
      showToast({ text: t.saved, undo: () => void undo(before) });
    },
    // Shown at the field, or in the section.
    onError() {},
  });
  async function undo(before: SettingsChanges) {
    try {
      await store(before);
      showToast({ text: t.undone });
    } catch (error) {
      showToast({ text: explain(error), isFailure: true, retry: () => void undo(before) });
    }
  }
  const path = save.error instanceof VitrineError ? save.error.field : null;
  const field = path?.split(".")[0] ?? null;

  return {
    values: { ...saved, ...draft },
    isChanged: Object.keys(changes).length > 0,
    isSaving: save.isPending,
    save: () => save.mutate({ changes, before: pick(saved, Object.keys(changes) as Name[]) }),
    reset() {
      keep({});
      save.reset();
    },
    set(changed: Partial<Values>) {
      keep({ ...draft, ...changed });
      if (!save.isPending) save.reset();
    },
    /** The properties of the field of a value, which can be fixed by the environment, or refused. */
    propsOf: (name: Name, hint?: string) => {
      const isFixed = saved.fromEnvironment.includes(name);
      return {
        disabled: isFixed,
        hint: isFixed ? t.fixed(variableOf(name)) : hint,
        error: save.error && field === name ? explain(save.error) : null,
      };
    },
    /** What is wrong with a part of a value, such as `menu.2.url`. */
    errorAt: (part: string) => (save.error && path === part ? explain(save.error) : null),
    /** What is wrong with none of the values of this section. */
    error: save.error && !(field !== null && field in draft) ? explain(save.error) : null,
  };
}

export type SectionState = ReturnType<typeof useSection>;

/** Those of the values that differ from all of these. */
function without(draft: Partial<Values>, known: SettingsChanges[]): Partial<Values> {
  const isKnown = ([name, value]: [string, unknown]) =>
    known.some((values) => JSON.stringify(values[name as Name]) === JSON.stringify(value));
  return Object.fromEntries(Object.entries(draft).filter((entry) => !isKnown(entry)));
}

const pick = (saved: Settings, names: Name[]): SettingsChanges =>
  Object.fromEntries(names.map((name) => [name, saved[name]]));

/** The variable that fixes a setting, as in `SIGNUP_ROLE`. */
const variableOf = (name: Name): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
