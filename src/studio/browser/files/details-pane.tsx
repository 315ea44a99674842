import { formatBytes } from "../lib/format.ts";
import type { Choice } from "./choice.ts";
import { Details } from "./details.tsx";
import { fileTexts as t } from "./texts.ts";

/** Beside the list, on wide windows. */
export function DetailsPane({ choice: { selected } }: { choice: Choice }) {
  const [first] = selected;
  return (
    <aside aria-label={t.details} className="hidden w-80 shrink-0 overflow-y-auto border-l border-line p-4 lg:block">
      {selected.length === 1 && first ? (
        <Details key={first.id} entry={first} />
      ) : selected.length > 1 ? (
        <p className="text-soft">
          {t.selected(selected.length)}
          <br />
          {t.selectedSize(formatBytes(selected.reduce((sum, { size }) => sum + size, 0)))}
        </p>
      ) : (
        <p className="text-soft">{t.selectHint}</p>
      )}
    </aside>
  );
}
