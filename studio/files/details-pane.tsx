import { useQuery } from "@tanstack/react-query";
import { formatBytes } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import type { Choice } from "./choice.ts";
import { Details } from "./details.tsx";
import { findAt } from "./folder.ts";
import { fileTexts as t } from "./texts.ts";

/** Beside the list, on wide windows: of what is selected, or of the directory itself. */
export function DetailsPane({ path, choice: { selected } }: { path: string; choice: Choice }) {
  const { data: folder } = useQuery({
    queryKey: ["files", "at", path],
    queryFn: ({ signal }) => findAt(path, signal),
    enabled: selected.length === 0,
  });
  const shown = selected.length === 0 ? folder : selected.length === 1 ? selected[0] : null;
  return (
    <aside
      aria-label={words.details}
      className="hidden w-80 shrink-0 overflow-y-auto border-l border-line p-4 lg:block"
    >
      {shown ? (
        <Details key={shown.id} entry={shown} />
      ) : selected.length > 1 ? (
        <p className="text-soft">
          {words.selected(selected.length)}
          <br />
          {t.selectedSize(formatBytes(selected.reduce((sum, { size }) => sum + size, 0)))}
        </p>
      ) : (
        <p className="text-soft">{t.selectHint}</p>
      )}
    </aside>
  );
}
