import { useState } from "react";
import type { Album } from "../../client/src/index.ts";
import { HiddenNote } from "../hidden/hidden-note.tsx";
import { publicationOfAlbum, sayPublished } from "../hidden/hidden.ts";
import { api } from "../lib/api.ts";
import { defaultVisibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { useMe } from "../lib/me.ts";
import { queries } from "../lib/queries.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../ui/field.tsx";
import { FilterFields, toDraft, toFilter } from "./filter-fields.tsx";
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
  const me = useMe();
  const [name, setName] = useState(album?.name ?? "");
  const [description, setDescription] = useState(album?.description ?? "");
  const [visibility, setVisibility] = useState(album?.visibility ?? defaultVisibility);
  const [isSmart, setIsSmart] = useState(album ? album.filter !== null : false);
  const [filter, setFilter] = useState(() => toDraft(album?.filter ?? null));
  const [photoOrder, setPhotoOrder] = useState(album?.photoOrder ?? "manual");
  const order = isSmart && photoOrder === "manual" ? "newestFirst" : photoOrder;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isPublished = album?.visibility === "private" && visibility === "public";
  const save = async () => {
    if (!name.trim()) return setProblem(t.nameMissing);
    const conditions = isSmart ? toFilter(filter) : null;
    if (isSmart && !conditions) return setProblem(t.filterMissing);
    const fields = {
      name: name.trim(),
      description,
      visibility,
      photoOrder: order,
      ...(conditions && { filter: conditions }),
    };
    setIsBusy(true);
    try {
      const saved = album
        ? await api.changeAlbum({ id: album.id, ...fields })
        : await api.createAlbum({ ...fields, parentID });
      void queries.invalidateQueries({ queryKey: ["albums"] });
      onClose();
      onSaved?.(saved);
      if (isPublished) void sayPublished(publicationOfAlbum(saved), { text: t.nowPublic(saved.name) });
    } catch (error) {
      setProblem(explain(error));
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={album ? t.editTitle : words.newAlbum}
      onClose={onClose}
      onSubmit={() => void save()}
      submit={{ label: album ? words.save : words.create, isBusy }}
    >
      <div className="grid gap-4">
        <TextField
          label={words.name}
          dir="auto"
          value={name}
          error={problem}
          onChange={({ target }) => {
            setName(target.value);
            setProblem(null);
          }}
        />
        <TextArea
          label={words.description}
          dir="auto"
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        <SelectField
          label={t.visibility}
          value={visibility}
          onChange={({ target }) => setVisibility(target.value === "private" ? "private" : "public")}
          options={[
            { value: "public", label: words.everyone },
            { value: "private", label: t.onlyMe },
          ]}
        />
        {isPublished && <HiddenNote publication={publicationOfAlbum(album)} />}
        <SelectField
          label={t.photoOrder}
          value={order}
          onChange={({ target }) => setPhotoOrder(target.value as Album["photoOrder"])}
          options={[
            ...(isSmart ? [] : [{ value: "manual", label: t.manual }]),
            { value: "oldestFirst", label: t.oldestFirst },
            { value: "newestFirst", label: t.newestFirst },
          ]}
        />
        {!album && (
          <CheckField
            label={t.smart}
            hint={t.smartHint}
            checked={isSmart}
            onChange={({ target }) => setIsSmart(target.checked)}
          />
        )}
        {isSmart && (
          <FilterFields
            draft={filter}
            isOwn={!album || album.ownerID === me.id}
            onChange={(draft) => {
              setFilter(draft);
              setProblem(null);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}
