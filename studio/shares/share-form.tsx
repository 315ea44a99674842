import { useState } from "react";
import type { Share } from "../../client/src/index.ts";
import { words } from "../lib/words.ts";
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { shareTexts as t } from "./texts.ts";

/** The options of a link as a person edits them. */
export type Draft = {
  /** Days, `never`, or `date`. */
  expires: string;
  /** Such as `2026-11-30`. */
  date: string;
  password: string;
  removesPassword: boolean;
  allowDownload: boolean;
  allowUpload: boolean;
  showMetadata: boolean;
};

export const newDraft: Draft = {
  expires: "never",
  date: "",
  password: "",
  removesPassword: false,
  allowDownload: true,
  allowUpload: false,
  showMetadata: true,
};

export const toDraft = ({ expiresAt, allowDownload, allowUpload, showMetadata }: Share): Draft => ({
  ...newDraft,
  expires: expiresAt ? "date" : "never",
  date: expiresAt ? toDay(new Date(expiresAt)) : "",
  allowDownload,
  allowUpload,
  showMetadata,
});

/** What the API takes; null if the date is missing or over. */
export function toOptions(draft: Draft) {
  const { password, removesPassword, allowUpload, showMetadata } = draft;
  const expiresAt = toTime(draft);
  if (expiresAt === undefined) return null;
  return {
    expiresAt,
    allowUpload,
    showMetadata,
    allowDownload: draft.allowDownload && showMetadata,
    ...(password ? { password } : removesPassword ? { password: null } : {}),
  };
}

function toTime({ expires, date }: Draft): string | null | undefined {
  if (expires === "never") return null;
  if (expires !== "date") return new Date(Date.now() + Number(expires) * 86_400_000).toISOString();
  // Until the end of that day, where the person is.
  const end = new Date(`${date}T23:59:59`);
  return end.getTime() > Date.now() ? end.toISOString() : undefined;
}

const toDay = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

type Props = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  kind: Share["kind"];
  isSmart: boolean;
  hasPassword?: boolean;
  /** Whether the form was sent, so that mistakes are shown. */
  isSent: boolean;
  passwordProblem?: string | null;
};

export function ShareForm({ draft, onChange, kind, isSmart, hasPassword = false, isSent, passwordProblem }: Props) {
  const [today] = useState(() => toDay(new Date()));
  const set = (changes: Partial<Draft>) => onChange({ ...draft, ...changes });
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={words.expires}
          value={draft.expires}
          onChange={({ target }) => set({ expires: target.value })}
          options={[
            { value: "never", label: t.never },
            ...[1, 7, 30].map((days) => ({ value: String(days), label: t.inDays(days) })),
            { value: "date", label: t.onDate },
          ]}
        />
        {draft.expires === "date" && (
          <TextField
            label={words.date}
            type="date"
            min={today}
            value={draft.date}
            error={isSent && toTime(draft) === undefined ? t.needsDate : null}
            onChange={({ target }) => set({ date: target.value })}
          />
        )}
      </div>
      <TextField
        label={words.password}
        error={passwordProblem}
        hint={hasPassword ? t.keepPassword : t.passwordHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={draft.removesPassword}
        value={draft.password}
        onChange={({ target }) => set({ password: target.value })}
      />
      {hasPassword && (
        <CheckField
          label={t.removePassword}
          checked={draft.removesPassword}
          onChange={({ target }) => set({ removesPassword: target.checked, password: "" })}
        />
      )}
      {kind !== "file" && <Permissions kind={kind} isSmart={isSmart} draft={draft} set={set} />}
    </div>
  );
}

type PermissionProps = Pick<Props, "kind" | "isSmart" | "draft"> & { set: (changes: Partial<Draft>) => void };

/** A link to a file is for its download, and nothing else. */
function Permissions({ kind, isSmart, draft, set }: PermissionProps) {
  return (
    <div className="grid gap-3">
      <CheckField
        label={t.allowDownload}
        disabled={!draft.showMetadata}
        checked={draft.allowDownload && draft.showMetadata}
        onChange={({ target }) => set({ allowDownload: target.checked })}
      />
      {isSmart && <p className="text-sm text-soft">{t.noUploads}</p>}
      {(kind === "album" || kind === "directory") && !isSmart && (
        <CheckField
          label={t.allowUpload}
          hint={t.allowUploadHint}
          checked={draft.allowUpload}
          onChange={({ target }) => set({ allowUpload: target.checked })}
        />
      )}
      <CheckField
        label={t.showMetadata}
        hint={t.showMetadataHint}
        checked={draft.showMetadata}
        onChange={({ target }) => set({ showMetadata: target.checked })}
      />
    </div>
  );
}
