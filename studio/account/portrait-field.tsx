import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "../lib/me.ts";
import { words } from "../lib/words.ts";
import { photoQuery } from "../photos/photo-queries.ts";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { Thumb } from "../pickers/thumb.tsx";
import { Button } from "../ui/button.tsx";
import { accountTexts as t } from "./texts.ts";

type Props = { id: number | null; name: string; onChange: (id: number | null) => void };

/** One of one's own photos. Readers have none. */
export function PortraitField({ id, name, onChange }: Props) {
  const me = useMe();
  const [isChoosing, setChoosing] = useState(false);
  const { data } = useQuery({ ...photoQuery(id ?? 0), enabled: id !== null });
  const photo = id === null ? null : (data ?? null);
  if (me.role === "reader" && id === null) return null;
  const note = id === null ? t.noPortrait : photo?.visibility === "private" ? t.privatePortrait : null;
  return (
    <div role="group" aria-label={t.portrait} className="flex items-center gap-4">
      {photo ? (
        <Thumb photo={photo} width={96} className="size-24 shrink-0 rounded-full" />
      ) : (
        <span
          aria-hidden="true"
          className="grid size-24 shrink-0 place-items-center rounded-full bg-tint text-3xl font-semibold text-accent uppercase"
        >
          {initialsOf(name.trim() || me.username)}
        </span>
      )}
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setChoosing(true)}>{id === null ? t.choosePortrait : words.change}</Button>
          {id !== null && <Button onClick={() => onChange(null)}>{words.remove}</Button>}
        </div>
        {note && <p className="text-sm text-soft">{note}</p>}
      </div>
      {isChoosing && (
        <PhotoPicker
          isSingle
          title={t.choosePortrait}
          onPick={([picked]) => picked && onChange(picked.id)}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

/** Of the first and the last word, as on the site. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word = "") => String.fromCodePoint(word.codePointAt(0) ?? 0)).join("");
}
