import { FolderPlus } from "lucide-react";
import { useState } from "react";
import type { File } from "../../../../client/src/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { createFolder } from "./changes.ts";
import { pathOf } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";
import { isPossible, listNames } from "./transfer.ts";
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
  const [isBusy, setIsBusy] = useState(false);
  const isAllowed = isPossible({ entries, to: path, isCopy });
  const create = async () => {
    setIsBusy(true);
    const made = await createFolder(path, [...(await listNames(path)).values()]);
    setIsBusy(false);
    if (made) setPath(pathOf(made));
  };
  return (
    <Dialog
      title={(isCopy ? t.copyTitle : t.moveTitle)(entries.length)}
      onClose={onClose}
      actions={
        <>
          <Button className="mr-auto" icon={<FolderPlus />} isBusy={isBusy} onClick={() => void create()}>
            {t.newFolder}
          </Button>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            look="main"
            disabled={!isAllowed}
            onClick={() => {
              onClose();
              onPick(path);
            }}
          >
            {isCopy ? t.copyHere : t.moveHere}
          </Button>
        </>
      }
    >
      <div className="min-h-64">
        <Tree path={path} onOpen={setPath} />
      </div>
    </Dialog>
  );
}
