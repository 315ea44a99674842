import { useMemo } from "react";
import { ShareDialog } from "../shares/share-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { Desk } from "./desk.ts";
import { Details } from "./details.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import { Preview } from "./preview.tsx";
import { fileTexts as t } from "./texts.ts";

/** The dialog that is open, and the preview. */
export function FileDialogs({ desk, previewID }: { desk: Desk; previewID: number }) {
  const { asked, ask, folder, choice } = desk;
  const close = () => ask(null);
  const files = useMemo(() => folder.entries.filter(({ isDirectory }) => !isDirectory), [folder.entries]);
  const shown = previewID ? folder.entries[choice.indexOf(previewID)] : undefined;
  return (
    <>
      {shown && (
        <Preview
          file={shown}
          files={files}
          onShow={(file) => {
            choice.pick(choice.indexOf(file.id));
            desk.show(file);
          }}
          onDetails={(entry) => ask({ type: "details", entry })}
          onClose={() => desk.show(null)}
        />
      )}
      {asked?.type === "conflict" && <ConflictDialog names={asked.names} onAnswer={asked.answer} onClose={close} />}
      {asked?.type === "pick" && (
        <FolderPicker
          {...asked}
          start={folder.path}
          onPick={(to) => desk.transfer({ entries: asked.entries, to, isCopy: asked.isCopy })}
          onClose={close}
        />
      )}
      {asked?.type === "share" && (
        <ShareDialog
          kind={asked.entry.isDirectory ? "directory" : "file"}
          id={asked.entry.id}
          title={asked.entry.name}
          onClose={close}
        />
      )}
      {asked?.type === "details" && (
        <Dialog title={t.details} onClose={close}>
          <Details entry={asked.entry} />
        </Dialog>
      )}
    </>
  );
}
