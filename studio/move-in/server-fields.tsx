import { VitrineError, type ImportServer } from "../../client/src/index.ts";
import { explain } from "../lib/explain.ts";
import { words } from "../lib/words.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { serverTexts as t } from "./server-texts.ts";

export type ServerKind = NonNullable<ImportServer["kind"]>;
type ServerInput = { kind: ServerKind; url: string; username: string; key: string };
export const noServer: ServerInput = { kind: "immich", url: "", username: "", key: "" };

const examples: Record<ServerKind, string> = {
  immich: "http://192.168.1.20:2283",
  webdav: "https://cloud.example.org",
  vitrine: "https://old.example.org",
};

type Props = { value: ServerInput; onChange: (value: ServerInput) => void; error: unknown };

/** Which server, and what proves that one may read it. */
export function ServerFields({ value, onChange, error }: Props) {
  const { kind, url, username, key } = value;
  const change = (part: Partial<ServerInput>) => onChange({ ...value, ...part });
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField
        label={t.kind}
        value={kind}
        onChange={({ target }) => change({ kind: target.value as ServerKind })}
        options={Object.entries(t.kinds).map(([name, label]) => ({ value: name, label }))}
      />
      <TextField
        label={words.address}
        hint={t.addressHints[kind]}
        error={refusalOf(error, "server")}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={examples[kind]}
        required
        value={url}
        onChange={({ target }) => change({ url: target.value })}
      />
      {kind !== "immich" && (
        <TextField
          label={t.username}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
          value={username}
          onChange={({ target }) => change({ username: target.value })}
        />
      )}
      <KeyField kind={kind} value={key} onChange={(next) => change({ key: next })} error={error} />
      <p className="text-sm text-soft sm:col-span-2">{t.forgotten}</p>
    </div>
  );
}

type KeyProps = { kind: ServerKind; value: string; onChange: (value: string) => void; error: unknown };

export const KeyField = ({ kind, value, onChange, error }: KeyProps) => (
  <TextField
    type="password"
    label={t.keys[kind]}
    hint={t.keyHints[kind]}
    error={refusalOf(error, "key")}
    // It is not the password of this site.
    autoComplete="off"
    data-1p-ignore
    required
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
);

/** What the server has said of a field. */
export function refusalOf(error: unknown, field: "key" | "server"): string | null {
  if (!(error instanceof VitrineError) || error.field === null) return null;
  return error.field === field || error.field?.startsWith(`${field}.`) ? t.refusals[field](error.message) : null;
}

/** What has failed and is not about one of these fields. */
export const otherProblem = (error: unknown): string | null =>
  error && refusalOf(error, "key") === null && refusalOf(error, "server") === null ? explain(error) : null;
