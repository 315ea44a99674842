import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { api } from "../../lib/api.ts";
import { formatBytes, formatDuration, formatNumber, formatTime } from "../../lib/format.ts";
import { linkToFile } from "../../lib/links.ts";
import { words } from "../../lib/words.ts";
import { detailsTexts as t } from "./texts.ts";

export function CameraFacts({ photo: { exif } }: { photo: Photo }) {
  if (!exif) return null;
  const { make, model, lens, exposureTime, aperture, iso, focalLength } = exif;
  const exposure = [
    exposureTime !== null && (exposureTime < 1 ? `1/${Math.round(1 / exposureTime)} s` : `${exposureTime} s`),
    aperture !== null && `ƒ/${formatNumber(Math.round(aperture * 10) / 10)}`,
    iso !== null && `ISO ${iso}`,
    focalLength !== null && `${formatNumber(focalLength)} mm`,
  ].filter(Boolean);
  return (
    <Facts title={words.camera}>
      <Fact label={t.model}>{nameOfCamera(make, model)}</Fact>
      <Fact label={t.lens}>{lens}</Fact>
      <Fact label={t.exposure}>{exposure.join(" · ")}</Fact>
    </Facts>
  );
}

/** Many models already begin with the maker's name. */
function nameOfCamera(make: string | null, model: string | null): string {
  const [maker = ""] = (make ?? "").split(" ");
  const isNamed = model?.toLowerCase().startsWith(maker.toLowerCase());
  return [isNamed ? null : make, model].filter(Boolean).join(" ");
}

export function FileFacts({ photo }: { photo: Photo }) {
  const { file, width, height, duration, isCutOff, createdAt, updatedAt } = photo;
  return (
    <Facts title={words.file}>
      {file && (
        <>
          <Fact label={words.name}>
            <Link {...linkToFile(file)} className="underline">
              {file.name}
            </Link>
          </Fact>
          <Fact label={words.folder}>{file.path}</Fact>
          <Fact label={words.size}>
            {formatBytes(file.size)} · {file.contentType}
          </Fact>
        </>
      )}
      <Fact label={t.pixels}>{`${formatNumber(width)} × ${formatNumber(height)}`}</Fact>
      <Fact label={words.state}>{isCutOff ? t.cutOff : null}</Fact>
      <Fact label={t.duration}>{duration === null ? null : formatDuration(duration)}</Fact>
      <Fact label={t.created}>{formatTime(createdAt)}</Fact>
      <Fact label={words.changed}>{formatTime(updatedAt)}</Fact>
      <Albums photo={photo} />
      <Hearts id={photo.id} />
    </Facts>
  );
}

/** The albums with this photo, as far as the owner of its file can know. */
function Albums({ photo: { id, file, ownerID } }: { photo: Photo }) {
  const { data } = useQuery({
    queryKey: ["albums", "with", id],
    queryFn: ({ signal }) => api.listFileUses({ id: file?.id ?? 0 }, { signal }),
    enabled: file?.ownerID === ownerID,
  });
  const albums = data?.uses.filter(({ kind, of }) => kind === "album" && of.kind === "photo" && of.id === id) ?? [];
  if (albums.length === 0) return null;
  return (
    <Fact label={words.albums}>
      {albums.map((album) => (
        <Link key={album.id} to="/albums/$id" params={{ id: String(album.id) }} className="mr-3 underline">
          {album.name}
        </Link>
      ))}
    </Fact>
  );
}

function Hearts({ id }: { id: number }) {
  const { data } = useQuery({
    queryKey: ["photos", "hearts", id],
    queryFn: ({ signal }) => api.readPhotoHeart({ id }, { signal }),
  });
  return data?.isOpen ? <Fact label={t.hearts}>{formatNumber(data.hearts)}</Fact> : null;
}

const Facts = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-t border-line p-5">
    <h3 className="mb-2 font-medium">{title}</h3>
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">{children}</dl>
  </section>
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) =>
  children ? (
    <>
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  ) : null;
