import type { Album } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { queries } from "../lib/queries.ts";
import { showToast } from "../lib/toasts.ts";
import { myAlbumsQuery } from "../pickers/my-albums.ts";

type Place = { before: number } | { after: number };

/** Moves an album beside another one, on the screen at once. */
export async function orderAlbum(album: Album, place: Place): Promise<void> {
  await queries.cancelQueries({ queryKey: myAlbumsQuery.queryKey });
  queries.setQueryData(myAlbumsQuery.queryKey, (albums) => albums && withMoved(albums, album, place));
  try {
    await api.moveAlbum({ id: album.id, ...place });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void orderAlbum(album, place) });
  }
  void queries.invalidateQueries({ queryKey: ["albums"] });
}

function withMoved(albums: readonly Album[], album: Album, place: Place): Album[] {
  const others = albums.filter(({ id }) => id !== album.id);
  const besideID = "before" in place ? place.before : place.after;
  const index = others.findIndex(({ id }) => id === besideID) + ("before" in place ? 0 : 1);
  return others.toSpliced(index, 0, album);
}
