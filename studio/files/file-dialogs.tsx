import { useMemo } from "react";
import { words } from "../lib/words.ts";
import { ShareDialog } from "../shares/share-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { Details } from "./details.tsx";
import type { FolderActions } from "./folder-actions.ts";
import { FolderPicker } from "./folder-picker.tsx";
import { Preview } from "./preview.tsx";

/** The dialog that is open, and the preview. */
export function FileDialogs({ actions, previewID }: { actions: FolderActions; previewID: number }) {
  const { asked, ask, folder, choice } = actions;
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
            choice.select(choice.indexOf(file.id));
            actions.show(file);
          }}
          onDetails={(entry) => ask({ type: "details", entry })}
          onClose={() => actions.show(null)}
        />
      )}
      {asked?.type === "conflict" && <ConflictDialog names={asked.names} onAnswer={asked.answer} onClose={close} />}
      {asked?.type === "chooseFolder" && (
        <FolderPicker
          {...asked}
          start={folder.path}
          onPick={(to) => actions.transfer({ entries: asked.entries, to, isCopy: asked.isCopy })}
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
        <Dialog title={words.details} onClose={close}>
          <Details entry={asked.entry} />
        </Dialog>
      )}
    </>
  );
}
