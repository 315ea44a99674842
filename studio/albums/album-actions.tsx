import { useNavigate } from "@tanstack/react-router";
import { Download, ExternalLink, Eye, EyeOff, FolderInput, FolderPlus, Pencil, Share2, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Album, AlbumChanges } from "../../client/src/index.ts";
import { HiddenNote } from "../hidden/hidden-note.tsx";
import { publicationOfAlbum, sayPublished } from "../hidden/hidden.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { restoreRecords } from "../lib/trash.ts";
import { words } from "../lib/words.ts";
import { AlbumPicker } from "../pickers/album-picker.tsx";
import { flatten, myAlbumsQuery, toTree } from "../pickers/my-albums.ts";
import { ShareDialog } from "../shares/share-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { AlbumDialog } from "./album-dialog.tsx";
import { albumTexts as t } from "./texts.ts";

/** What can be done with an album, as lines of a menu, and the dialogs that these open. */
export function useAlbumActions(album: Album, { onDeleted }: { onDeleted?: Leave } = {}) {
  const [open, setOpen] = useState<"edit" | "move" | "publish" | "share" | "new" | null>(null);
  const navigate = useNavigate();
  const { id, name, visibility } = album;
  const close = () => setOpen(null);
  const isPrivate = visibility === "private";

  const items: MenuItem[] = [
    { label: t.edit, icon: <Pencil />, run: () => setOpen("edit") },
    ...(album.filter ? [] : [{ label: t.newAlbumIn, icon: <FolderPlus />, run: () => setOpen("new") }]),
    { label: t.move, icon: <FolderInput />, run: () => setOpen("move") },
    {
      label: isPrivate ? words.makePublic : words.makePrivate,
      icon: isPrivate ? <Eye /> : <EyeOff />,
      run: () => void (isPrivate ? review() : change(album, { visibility: "private" }, t.nowPrivate(name))),
    },
    null,
    { label: words.share, icon: <Share2 />, run: () => setOpen("share") },
    { label: t.zip, icon: <Download />, run: () => location.assign(api.zipAlbum.url({ id })) },
    { label: words.viewOnSite, icon: <ExternalLink />, run: () => window.open(`/albums/${id}`, "_blank", "noopener") },
    null,
    { label: words.delete, icon: <Trash2 />, isDanger: true, run: () => void deleteAlbum(album, onDeleted) },
  ];

  let dialogs: ReactNode = null;
  if (open === "edit") dialogs = <AlbumDialog album={album} onClose={close} />;
  if (open === "share") {
    dialogs = <ShareDialog kind="album" id={id} title={name} isSmart={album.filter !== null} onClose={close} />;
  }
  if (open === "publish") {
    const publish = () => {
      close();
      void publishAlbum(album);
    };
    dialogs = <PublishAlbumDialog album={album} onChosen={publish} onClose={close} />;
  }
  if (open === "new") {
    dialogs = (
      <AlbumDialog
        parentID={id}
        onClose={close}
        onSaved={(made) => void navigate({ to: "/albums/$id", params: { id: String(made.id) } })}
      />
    );
  }
  if (open === "move") {
    dialogs = (
      <AlbumPicker
        title={t.moveTitle(name)}
        without={withThoseInIt(id)}
        onPick={(parent) => void change(album, { parentID: parent.id }, t.moved(name, parent.name))}
        onPickNone={() => void change(album, { parentID: null }, t.moved(name, null))}
        onClose={close}
      />
    );
  }
  return { items, dialogs, share: () => setOpen("share") };

  /** Asks only a person who would publish less than they think. */
  async function review(): Promise<void> {
    const hidden = await publicationOfAlbum(album)
      .find()
      .catch(() => null);
    if (hidden && hidden.count > 0) setOpen("publish");
    else await publishAlbum(album);
  }
}

/** An album cannot be moved into itself. */
function withThoseInIt(id: number): ReadonlySet<number> {
  const nodes = flatten(toTree(queries.getQueryData(myAlbumsQuery.queryKey) ?? []));
  const node = nodes.find(({ album }) => album.id === id);
  return new Set(node ? flatten([node]).map(({ album }) => album.id) : [id]);
}

function publishAlbum(album: Album): Promise<void> {
  const say: Say = (toast) => void sayPublished(publicationOfAlbum(album), toast);
  return change(album, { visibility: "public" }, t.nowPublic(album.name), say);
}

type Say = (toast: { text: string; undo: () => void }) => void;

/** With a way back to the values before. */
export async function change(album: Album, changes: AlbumChanges, text: string, say: Say = showToast): Promise<void> {
  const before = Object.fromEntries(
    Object.keys(changes).map((key) => [key, album[key as keyof Album]]),
  ) as AlbumChanges;
  try {
    await api.changeAlbum({ id: album.id, ...changes });
    say({ text, undo: () => void changeBack(album.id, before) });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void change(album, changes, text, say) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

async function changeBack(id: number, before: AlbumChanges): Promise<void> {
  try {
    await api.changeAlbum({ id, ...before });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void changeBack(id, before) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

/** Leaves the screen of an album. */
type Leave = () => Promise<void>;

async function deleteAlbum(album: Album, leave?: Leave): Promise<void> {
  const { id, name } = album;
  queries.setQueryData(myAlbumsQuery.queryKey, (albums) => albums?.filter((other) => other.id !== id));
  // Otherwise its screen would load it once more, in vain.
  await leave?.();
  try {
    await api.deleteAlbum({ id });
    showToast({ text: t.deleted(name), undo: () => void restoreRecords("album", [id]) });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void deleteAlbum(album) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

type Props = { album: Album; onChosen: () => void; onClose: () => void };

/** Before an album becomes public of which guests would not see everything. */
const PublishAlbumDialog = ({ album, onChosen, onClose }: Props) => (
  <Dialog title={t.publishTitle(album.name)} onClose={onClose} onSubmit={onChosen} submit={{ label: words.makePublic }}>
    <HiddenNote publication={publicationOfAlbum(album)} />
  </Dialog>
);
