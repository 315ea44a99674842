import { useMutation } from "@tanstack/react-query";
import { Trash2, Upload } from "lucide-react";
import { useState } from "react";
import type { File as StoredFile } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatBytes } from "../lib/format.ts";
import { useMe } from "../lib/me.ts";
import { showToast } from "../lib/toasts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { CheckField } from "../ui/field.tsx";
import { chooseFiles } from "../uploads/choose-files.ts";
import { hasFiles, readDropped } from "../uploads/read-dropped.ts";
import { addUploads, type ChosenFile } from "../uploads/uploads.ts";
import { archiveDirectory, reloadArchives } from "./query.ts";
import { moveInTexts as t } from "./texts.ts";

type Props = {
  files: readonly StoredFile[];
  /** Those that are not imported now. */
  left: ReadonlySet<number>;
  onLeft: (left: ReadonlySet<number>) => void;
};

/** What was uploaded to be imported, and a place to drop more. */
export function Archives({ files, left, onLeft }: Props) {
  const directory = archiveDirectory(useMe().username);
  const [isOver, setIsOver] = useState(false);
  const remove = useMutation({
    mutationFn: ({ id }: StoredFile) => api.deleteFile({ id }),
    onSuccess: (_done, { name }) => showToast({ text: t.archiveRemoved(name) }),
    onSettled: reloadArchives,
  });
  const upload = (chosen: readonly ChosenFile[]) => {
    const single = chosen.filter((one) => one.directory === undefined);
    if (single.length < chosen.length) showToast({ text: t.noFolders, isFailure: true });
    addUploads(single, { directory, isPhoto: false, visibility: "private", onStored: () => void reloadArchives() });
  };
  const take = (chosen: Promise<ChosenFile[]>) =>
    chosen.then(upload).catch((error: unknown) => showToast({ text: explain(error), isFailure: true }));
  const toggle = (id: number, isChosen: boolean) => {
    const next = new Set(left);
    if (isChosen) next.delete(id);
    else next.add(id);
    onLeft(next);
  };
  return (
    <>
      <div
        className={classes(
          "flex flex-wrap items-center justify-center gap-3 rounded-card border-2 border-dashed px-4 py-8 text-soft",
          isOver ? "border-accent bg-tint" : "border-line",
        )}
        onDragOver={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          setIsOver(false);
          void take(readDropped(event.dataTransfer));
        }}
      >
        <span className="max-sm:hidden">{t.drop}</span>
        <Button icon={<Upload />} onClick={() => void take(chooseFiles())}>
          {t.choose}
        </Button>
      </div>
      {files.length === 0 && <p className="mt-3 text-sm text-soft">{t.waiting}</p>}
      {files.length > 0 && (
        <ul className="mt-3 divide-y divide-line">
          {files.map((file) => (
            <li key={file.id} className="flex items-center gap-3 py-1.5">
              <CheckField
                className="min-w-0 flex-1 wrap-anywhere"
                label={file.name}
                checked={!left.has(file.id)}
                onChange={({ target }) => toggle(file.id, target.checked)}
              />
              <span className="text-sm whitespace-nowrap text-soft">{formatBytes(file.size)}</span>
              <IconButton label={t.removeArchive(file.name)} onClick={() => remove.mutate(file)}>
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
