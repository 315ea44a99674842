import { useState } from "react";
import type { Album } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { defaultVisibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../ui/field.tsx";
import { albumTexts as t } from "./texts.ts";

type Props = {
  /** The album that is edited; without it, a new one is created. */
  album?: Album;
  /** The album in which a new one is created. */
  parentID?: number | null;
  onSaved?: (album: Album) => void;
  onClose: () => void;
};

export function AlbumDialog({ album, parentID = null, onSaved, onClose }: Props) {
  const [name, setName] = useState(album?.name ?? "");
  const [description, setDescription] = useState(album?.description ?? "");
  const [visibility, setVisibility] = useState(album?.visibility ?? defaultVisibility);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    if (!name.trim()) return setProblem(t.nameMissing);
    const fields = { name: name.trim(), description, visibility };
    setIsBusy(true);
    try {
      const saved = album
        ? await api.changeAlbum({ id: album.id, ...fields })
        : await api.createAlbum({ ...fields, parentID });
      void queries.invalidateQueries({ queryKey: ["albums"] });
      onClose();
      onSaved?.(saved);
    } catch (error) {
      setProblem(explain(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={album ? t.editTitle : t.newAlbum}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" variant="main" isBusy={isBusy}>
            {album ? t.save : t.create}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextField
          label={t.name}
          dir="auto"
          value={name}
          error={problem}
          onChange={({ target }) => {
            setName(target.value);
            setProblem(null);
          }}
        />
        <TextArea
          label={t.description}
          dir="auto"
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <SelectField
          label={t.visibility}
          value={visibility}
          onChange={({ target }) => setVisibility(target.value === "private" ? "private" : "public")}
          options={[
            { value: "public", label: t.everyone },
            { value: "private", label: t.onlyMe },
          ]}
        />
      </div>
    </Dialog>
  );
}
