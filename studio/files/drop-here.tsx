import { words } from "../lib/words.ts";
import { DropChoice } from "../uploads/drop-choice.tsx";
import type { Drops } from "./drag.ts";
import type { Folder } from "./folder.ts";
import { nameOf } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";

/** Above the lower edge of a directory while files are dragged over it: directories in it can still be reached. */
export const DropHere = ({ folder: { path, isPrivate }, drops }: { folder: Folder; drops: Drops }) => (
  <div role="presentation" className="pointer-events-none absolute inset-x-0 bottom-4 z-30 grid justify-items-center">
    <DropChoice
      label={t.dropInto(nameOf(path) || words.files)}
      isInPrivateFolder={isPrivate}
      onDrop={(data, visibility) => drops.onFiles(data, path, visibility)}
    />
  </div>
);
