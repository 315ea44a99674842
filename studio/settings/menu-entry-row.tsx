import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { MenuEntry } from "../../client/src/index.ts";
import { words } from "../lib/words.ts";
import { IconButton } from "../ui/button.tsx";
import { CheckField, SelectField, TextField } from "../ui/field.tsx";
import { menuTexts as t } from "./menu-texts.ts";

type Props = {
  entry: MenuEntry;
  name: string;
  defaultName: string;
  isFirst: boolean;
  isLast: boolean;
  isDisabled: boolean;
  /** Why visitors do not see it, though it is not hidden. */
  note: string | null;
  errorOf: (field: "label" | "url") => string | null;
  onChange: (changes: Partial<MenuEntry>) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

/** One entry of the menu, with everything that can be changed about it. */
export function MenuEntryRow({ entry, name, errorOf, onChange, onMove, ...props }: Props) {
  const { isDisabled } = props;
  return (
    <li className="p-3 sm:p-4">
      <fieldset disabled={isDisabled} className="grid min-w-0 gap-3">
        <legend className="sr-only">{name}</legend>
        <div className="flex items-center gap-1">
          <p aria-hidden="true" className="min-w-0 flex-1">
            <span className="block truncate font-semibold" dir="auto">
              {name}
            </span>
            <span className="text-sm text-soft">{t.kinds[entry.kind]}</span>
          </p>
          <IconButton label={t.up(name)} data-move="-1" disabled={props.isFirst} onClick={() => onMove(-1)}>
            <ArrowUp />
          </IconButton>
          <IconButton label={t.down(name)} data-move="1" disabled={props.isLast} onClick={() => onMove(1)}>
            <ArrowDown />
          </IconButton>
          <IconButton label={t.remove(name)} data-remove onClick={props.onRemove}>
            <Trash2 />
          </IconButton>
        </div>
        {props.note && <p className="text-sm text-notice">{props.note}</p>}
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 sm:grid-cols-[minmax(0,1fr)_8rem_auto]">
          <div className="col-span-2 sm:col-span-1">
            <TextField
              label={t.label}
              dir="auto"
              maxLength={60}
              placeholder={entry.kind === "link" ? undefined : props.defaultName}
              value={entry.label}
              error={errorOf("label")}
              onChange={({ target }) => onChange({ label: target.value })}
            />
          </div>
          <SelectField
            label={words.place}
            value={entry.place}
            options={(["header", "footer"] as const).map((value) => ({ value, label: t.places[value] }))}
            onChange={({ target }) => onChange({ place: target.value as MenuEntry["place"] })}
          />
          <CheckField
            label={t.isHidden}
            className="mt-9"
            checked={entry.isHidden}
            onChange={({ target }) => onChange({ isHidden: target.checked })}
          />
        </div>
        {entry.kind === "link" && (
          <TextField
            label={words.address}
            type="url"
            maxLength={2000}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            value={entry.url ?? ""}
            error={errorOf("url")}
            onChange={({ target }) => onChange({ url: target.value })}
          />
        )}
      </fieldset>
    </li>
  );
}
