import { FileUp, FolderUp } from "lucide-react";
import type { ReactNode } from "react";
import type { Visibility } from "../lib/default-visibility.ts";
import { explain } from "../lib/explain.ts";
import { showToast } from "../lib/toasts.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { chooseFiles } from "./choose-files.ts";
import { useUploadVisibility } from "./chosen-visibility.ts";
import { uploadTexts as t } from "./texts.ts";
import type { ChosenFile } from "./upload.ts";
import { uploadVisibilityItems } from "./visibility-items.tsx";

type Props = {
  onFiles: (chosen: ChosenFile[]) => void;
  /** Such as `image/*,video/*`. */
  accept?: string;
  /** Other ways to add something, above these. */
  others?: MenuItem[];
  privateHint?: string | undefined;
  usual?: Visibility | undefined;
  labels?: { files: string; folder: string };
  /** Whether a whole folder can be chosen. */
  hasFolders?: boolean;
  align?: "start" | "end";
  /** The button that opens it. */
  children: ReactNode;
};

/** Who will see the uploads, and what to upload: files, or a whole folder. */
export function UploadMenu(props: Props) {
  const { onFiles, accept = "", others = [], privateHint, usual, labels = t, hasFolders = true, ...rest } = props;
  useUploadVisibility(usual);
  const choose = async (isFolder: boolean) => {
    try {
      const chosen = await chooseFiles(isFolder ? { isFolder } : { accept });
      if (chosen.length > 0) onFiles(chosen);
    } catch (error) {
      showToast({ text: explain(error), isFailure: true });
    }
  };
  return (
    <Menu
      {...rest}
      items={[
        ...others,
        ...uploadVisibilityItems({ privateHint, usual }),
        { label: labels.files, icon: <FileUp />, run: () => void choose(false) },
        ...(hasFolders ? [{ label: labels.folder, icon: <FolderUp />, run: () => void choose(true) }] : []),
      ]}
    />
  );
}
