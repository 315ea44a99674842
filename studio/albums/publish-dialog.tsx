import type { Album } from "../../client/src/index.ts";
import { HiddenNote } from "../hidden/hidden-note.tsx";
import { publicationOfAlbum } from "../hidden/hidden.ts";
import { words } from "../lib/words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { albumTexts as t } from "./texts.ts";

type Props = { album: Album; onChosen: () => void; onClose: () => void };

/** Before an album becomes public of which guests would not see everything. */
export const PublishAlbumDialog = ({ album, onChosen, onClose }: Props) => (
  <Dialog title={t.publishTitle(album.name)} onClose={onClose} onSubmit={onChosen} submit={{ label: words.makePublic }}>
    <HiddenNote publication={publicationOfAlbum(album)} />
  </Dialog>
);
