import { FileUp, FolderUp, Upload } from "lucide-react";
import { explain } from "../lib/explain.ts";
import { say } from "../lib/toasts.ts";
import { Button, type Look } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { chooseFiles } from "./choose-files.ts";
import { uploadTexts as t } from "./texts.ts";
import type { Chosen } from "./upload.ts";

type Props = {
  onFiles: (chosen: Chosen[]) => void;
  /** Such as `image/*,video/*`. */
  accept?: string;
  label?: string;
  look?: Look;
};

/** Chooses files, or a whole folder. */
export function UploadButton({ onFiles, accept = "", label = t.upload, look = "plain" }: Props) {
  const choose = async (isFolder: boolean) => {
    try {
      const chosen = await chooseFiles(isFolder ? { isFolder } : { accept });
      if (chosen.length > 0) onFiles(chosen);
    } catch (error) {
      say({ text: explain(error), isFailure: true });
    }
  };
  return (
    <Menu
      items={[
        { label: t.files, icon: <FileUp />, run: () => void choose(false) },
        { label: t.folder, icon: <FolderUp />, run: () => void choose(true) },
      ]}
    >
      <Button look={look} icon={<Upload />}>
        {label}
      </Button>
    </Menu>
  );
}

/** The pictures and videos that photos are made of, for the dialog of the browser. */
export const photoTypes = "image/*,video/*,.heic,.heif,.avif,.dng,.cr2,.cr3,.nef,.arw,.raf,.orf,.rw2";
