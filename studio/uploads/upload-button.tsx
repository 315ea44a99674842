import { Upload } from "lucide-react";
import { words } from "../lib/words.ts";
import { Button, type Variant } from "../ui/button.tsx";
import { UploadMenu } from "./upload-menu.tsx";
import type { ChosenFile } from "./upload.ts";

type Props = {
  onFiles: (chosen: ChosenFile[]) => void;
  /** Such as `image/*,video/*`. */
  accept?: string;
  label?: string;
  variant?: Variant;
};

/** Chooses files, or a whole folder. */
export const UploadButton = ({ onFiles, accept = "", label = words.upload, variant = "plain" }: Props) => (
  <UploadMenu onFiles={onFiles} accept={accept}>
    <Button variant={variant} icon={<Upload />}>
      {label}
    </Button>
  </UploadMenu>
);

/** The pictures and videos that photos are made of, for the dialog of the browser. */
export const photoTypes = "image/*,video/*,.heic,.heif,.avif,.dng,.cr2,.cr3,.nef,.arw,.raf,.orf,.rw2";
