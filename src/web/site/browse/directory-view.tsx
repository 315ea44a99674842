/** @jsxImportSource hono/jsx */
import type { FileRecord } from "../../../content/files/file.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { Visit } from "../page.ts";
import { Pager } from "../pager.tsx";
import { browseTexts } from "../texts/browse.ts";
import { commonTexts } from "../texts/common.ts";
import { printBytes } from "../photos/format.ts";
import { Day } from "../day.tsx";
import { FileIcon } from "./icons.tsx";
import { addressOf, Above, type Start } from "./place.tsx";

type Props = {
  visit: Visit;
  start: Start;
  names: string[];
  /** The id of the directory; null for the root. */
  id: number | null;
  entries: FileRecord[];
  /** Photos of the entries, by the ids of these. */
  photos: Map<number, Photo>;
  isPrivate: boolean;
  nextAddress: string | null;
  isFirst: boolean;
};

/** A directory: its entries, directories first. */
export function DirectoryView(props: Props) {
  const { visit, start, names, id, entries, photos, isPrivate, nextAddress, isFirst } = props;
  const { language, links } = visit;
  const t = browseTexts[language];
  return (
    <div class="wide">
      <Above visit={visit} start={start} names={names} />
      <header class="file-header">
        <h1 dir="auto">{names.at(-1) ?? start.title}</h1>
        {isPrivate ? <span class="chip">{commonTexts[language].private}</span> : null}
        {id !== null && entries.length > 0 && !visit.isCopy ? (
          <a class="button quiet" href={links.api(`/api/v1/files/${id}/zip`)} download rel="nofollow">
            {t.zip}
          </a>
        ) : null}
      </header>
      {entries.length === 0 ? (
        <p class="empty">{names.length === 0 && id === null ? t.emptyRoot : t.empty}</p>
      ) : (
        <table class="files">
          <thead>
            <tr>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.size}</th>
              <th scope="col">{t.changed}</th>
            </tr>
          </thead>
          <tbody data-list>
            {entries.map((file) => (
              <Entry
                visit={visit}
                file={file}
                href={addressOf(links, [...names, file.name])}
                photo={photos.get(file.id)}
              />
            ))}
          </tbody>
        </table>
      )}
      <Pager
        label={t.title}
        previous={isFirst ? null : [addressOf(links, names), t.first]}
        next={nextAddress === null ? null : [nextAddress, t.next]}
      />
    </div>
  );
}

type EntryProps = { visit: Visit; file: FileRecord; href: string; photo: Photo | undefined };

function Entry({ visit: { language, links }, file, href, photo }: EntryProps) {
  const t = browseTexts[language];
  return (
    <tr>
      <th scope="row">
        <a class="file-name" href={href}>
          <Thumbnail photo={photo} api={links.api} file={file} />
          <span dir="auto">{file.name}</span>
        </a>
        <span class="visually-hidden">{file.isDirectory ? t.directory : t.file}</span>
        {file.visibility === "private" && links.prefix === "" ? (
          <span class="chip">{commonTexts[language].private}</span>
        ) : null}
      </th>
      <td>{file.isDirectory ? "" : printBytes(file.size, language)}</td>
      <td>
        <Day time={file.updatedAt} language={language} isShort />
      </td>
    </tr>
  );
}

type ThumbnailProps = { photo: Photo | undefined; api: (path: string) => string; file: FileRecord };

function Thumbnail({ photo, api, file }: ThumbnailProps) {
  const smallest = photo?.variants[0];
  if (!photo || !smallest) return <FileIcon file={file} />;
  return (
    <img
      class="file-thumbnail"
      src={api(smallest.url)}
      width={smallest.width}
      height={smallest.height}
      alt=""
      loading="lazy"
      decoding="async"
      data-thumbhash={photo.thumbhash ?? undefined}
    />
  );
}
