import { albumQuery } from "../albums/album-photos.ts";
import type { FindPicture } from "../editor/embedded-pictures.ts";
import { queries } from "../lib/queries.ts";
import { photoQuery } from "../photos/photo-queries.ts";
import { sourceOf } from "../pickers/thumb.tsx";

export const findPicture: FindPicture = async (kind, id) => {
  const photo =
    kind === "photo" ? await queries.fetchQuery(photoQuery(id)) : (await queries.fetchQuery(albumQuery(id))).cover;
  return photo && sourceOf(photo, 80);
};
