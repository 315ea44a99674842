import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { findAt } from "../files/folder.ts";
import { Tree } from "../files/tree.tsx";
import { words } from "../lib/words.ts";
import { flatten, myAlbumsQuery, toTree } from "../pickers/my-albums.ts";
import { SelectField } from "../ui/field.tsx";
import { keyTexts as t } from "./texts.ts";

/** What a key is limited to. The root, and the album "", are still to be chosen. */
export type KeyLimit = { where: "everywhere" | "directory" | "album"; path: string; albumID: string };

export const noLimit: KeyLimit = { where: "everywhere", path: "/", albumID: "" };

export const isChosen = ({ where, path, albumID }: KeyLimit): boolean =>
  where === "everywhere" || (where === "directory" ? path !== "/" : albumID !== "");

/** As the API takes it. */
export async function toIDs({ where, path, albumID }: KeyLimit): Promise<{ directoryID?: number; albumID?: number }> {
  if (where === "everywhere") return {};
  if (where === "album") return { albumID: Number(albumID) };
  const directory = await findAt(path);
  if (!directory) throw new Error(t.directoryGone);
  return { directoryID: directory.id };
}

type Props = { limit: KeyLimit; isTried: boolean; onChange: (limit: KeyLimit) => void };

/** Chooses whether a key reaches everything, or one directory or album. */
export function LimitField({ limit, isTried, onChange }: Props) {
  const missing = isTried && !isChosen(limit);
  return (
    <>
      <SelectField
        label={t.where}
        hint={limit.where === "everywhere" ? undefined : t.whereHint}
        value={limit.where}
        onChange={(event) => onChange({ ...limit, where: event.target.value as KeyLimit["where"] })}
        options={[
          { value: "everywhere", label: t.everywhere },
          { value: "directory", label: t.inDirectory },
          { value: "album", label: t.inAlbum },
        ]}
      />
      {limit.where === "directory" && <DirectoryField limit={limit} isMissing={missing} onChange={onChange} />}
      {limit.where === "album" && <AlbumField limit={limit} isMissing={missing} onChange={onChange} />}
    </>
  );
}

type FieldProps = Omit<Props, "isTried"> & { isMissing: boolean };

function DirectoryField({ limit, isMissing, onChange }: FieldProps) {
  const labelID = useId();
  return (
    <div role="group" aria-labelledby={labelID} className="grid gap-1">
      <span id={labelID} className="font-medium">
        {words.folder}
      </span>
      <div className="max-h-56 overflow-y-auto rounded-md border border-line p-1">
        <Tree path={limit.path} onOpen={(path) => onChange({ ...limit, path })} />
      </div>
      <p
        role={isMissing ? "alert" : "status"}
        className={isMissing ? "text-sm text-danger" : "text-sm text-soft"}
        dir="auto"
      >
        {isMissing ? t.directoryMissing : limit.path === "/" ? "" : limit.path}
      </p>
    </div>
  );
}

function AlbumField({ limit, isMissing, onChange }: FieldProps) {
  const { data: albums = [] } = useQuery(myAlbumsQuery);
  return (
    <SelectField
      label={words.album}
      error={isMissing ? t.albumMissing : undefined}
      value={limit.albumID}
      onChange={(event) => onChange({ ...limit, albumID: event.target.value })}
      options={[
        { value: "", label: words.chooseAlbum },
        ...flatten(toTree(albums)).map(({ album, depth }) => ({
          value: String(album.id),
          label: "\u2003".repeat(depth) + album.name,
        })),
      ]}
    />
  );
}
