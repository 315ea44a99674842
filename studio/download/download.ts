import type { File } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { explain } from "../lib/explain.ts";
import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";
import { showToast } from "../lib/toasts.ts";

const n = formatNumber;

const t = translate({
  en: {
    tooManyPhotos: (max: number) =>
      `At most ${n(max)} photos can be downloaded at once. Add them to an album, and download the album.`,
    tooManyFiles: (max: number) =>
      `At most ${n(max)} files can be downloaded at once. Download the whole folder as a zip instead.`,
    noFile: "The file of this photo is in the trash.",
  },
  de: {
    tooManyPhotos: (max) =>
      `Es können höchstens ${n(max)} Fotos auf einmal heruntergeladen werden. Fügen Sie sie einem Album hinzu, und laden Sie dieses herunter.`,
    tooManyFiles: (max) =>
      `Höchstens ${n(max)} werden auf einmal heruntergeladen. Laden Sie den ganzen Ordner als ZIP herunter.`,
    noFile: "Die Datei dieses Fotos ist im Papierkorb.",
  },
});

/** The maximum number of files in one archive. */
const maxPerArchive = 500;

/** The original of one photo, unchanged; several as one archive. */
export async function downloadPhotos(ids: readonly number[]): Promise<void> {
  const [id] = ids;
  if (id === undefined) return;
  if (ids.length > maxPerArchive) return showToast({ text: t.tooManyPhotos(maxPerArchive), isFailure: true });
  if (ids.length > 1) return save(api.zipPhotos.url({ ids: ids.join() }));
  try {
    const { file } = await api.readPhoto({ id });
    if (file) save(downloadURL(file));
    else showToast({ text: t.noFile, isFailure: true });
  } catch (error) {
    showToast({ text: explain(error), isFailure: true, retry: () => void downloadPhotos(ids) });
  }
}

/** A file, unchanged; a directory, and several files, as one archive. */
export function downloadFiles(files: readonly File[]): void {
  const [first] = files;
  if (!first) return;
  if (files.length === 1) return save(downloadURL(first));
  if (files.length > maxPerArchive) return showToast({ text: t.tooManyFiles(maxPerArchive), isFailure: true });
  save(api.zipFiles.url({ ids: files.map(({ id }) => id).join() }));
}

/** A directory is downloaded as an archive. */
export const downloadURL = ({ id, isDirectory }: File): string =>
  isDirectory ? api.zipDirectory.url({ id }) : api.readContent.url({ id, download: "" });

/** The server says under which name. */
function save(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
