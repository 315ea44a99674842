import type { Visibility } from "../lib/default-visibility.ts";
import { words } from "../lib/words.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { iconOf } from "../ui/visibility-mark.tsx";
import { chooseUploadVisibility, uploadVisibility } from "./chosen-visibility.ts";
import { uploadTexts as t } from "./texts.ts";

type Place = {
  /** Then there is no choice. */
  isInPrivateFolder?: boolean;
  /** What to know about private uploads here. */
  privateHint?: string | undefined;
  /** What uploads are here as long as nothing is chosen. */
  usual?: Visibility | undefined;
  /** What is chosen, and what a choice does, if it is not about the next uploads. */
  value?: Visibility | null;
  onChoose?: (visibility: Visibility) => void;
};

/** Who will see what is uploaded, above the items of a menu that uploads something. Call it where the choice is followed. */
export function uploadVisibilityItems(place: Place = {}): MenuItem[] {
  const { isInPrivateFolder, privateHint, usual, value = uploadVisibility(usual) } = place;
  const { onChoose = chooseUploadVisibility } = place;
  const [Globe, Lock] = [iconOf("public"), iconOf("private")];
  if (isInPrivateFolder) {
    return [{ label: t.byFolder, hint: t.byFolderHint, icon: <Lock />, isNote: true, run() {} }, null];
  }
  const item = (visibility: Visibility, icon: React.ReactNode, hint: string): MenuItem => ({
    label: words[visibility],
    hint,
    icon,
    isRadio: true,
    isChecked: value === visibility,
    run: () => onChoose(visibility),
  });
  return [
    item("public", <Globe />, t.visibleTo.public),
    item("private", <Lock />, privateHint ?? t.visibleTo.private),
    null,
  ];
}
