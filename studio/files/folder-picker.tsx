import { FolderPlus } from "lucide-react";
import { useState } from "react";
import type { File } from "../../client/src/index.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { createFolder } from "./changes.ts";
import { pathOf } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";
import { isPossible } from "./transfer.ts";
import { Tree } from "./tree.tsx";

type Props = {
  entries: readonly File[];
  isCopy: boolean;
  start: string;
  onPick: (to: string) => void;
  onClose: () => void;
};

/** Chooses where entries are moved or copied. */
export function FolderPicker({ entries, isCopy, start, onPick, onClose }: Props) {
  const [path, setPath] = useState(start);
  const [name, setName] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const isAllowed = isPossible({ entries, to: path, isCopy });
  const create = async () => {
    if (!name?.trim()) return;
    setIsBusy(true);
    const made = await createFolder(path, name.trim());
    setIsBusy(false);
    if (!made) return;
    setName(null);
    setPath(pathOf(made));
  };
  const choose = () => {
    onClose();
    onPick(path);
  };
  return (
    <Dialog
      title={(isCopy ? t.copyTitle : t.moveTitle)(entries.length)}
      onClose={onClose}
      onSubmit={() => (name === null ? isAllowed && choose() : void create())}
      actions={
        <>
          {name === null && (
            <Button className="mr-auto" icon={<FolderPlus />} onClick={() => setName("")}>
              {t.newFolder}
            </Button>
          )}
          <Button onClick={() => (name === null ? onClose() : setName(null))}>{words.cancel}</Button>
          <Button variant="main" type="submit" isBusy={isBusy} disabled={name === null ? !isAllowed : !name.trim()}>
            {name !== null ? words.create : isCopy ? t.copyHere : t.moveHere}
          </Button>
        </>
      }
    >
      <div className="min-h-64">
        <Tree path={path} onOpen={setPath} />
      </div>
      {name !== null && (
        <div className="mt-4">
          <TextField
            autoFocus
            label={t.folderName}
            value={name}
            maxLength={255}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
      )}
    </Dialog>
  );
}
