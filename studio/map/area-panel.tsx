import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Images } from "lucide-react";
import { useEffect, useRef } from "react";
import type { PhotoArea } from "../../client/src/index.ts";
import { formatNumber } from "../lib/format.ts";
import { nameOfPhoto } from "../lib/photo-name.ts";
import { setOpenedFromGrid } from "../photos/last-seen.ts";
import { Thumb } from "../pickers/thumb.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Result } from "../ui/screen.tsx";
import { maxPhotosShown, nameOfArea, photosOfQuery } from "./areas.ts";
import { mapTexts as t } from "./texts.ts";

const maxListed = 100;

const countOf = (count: number) => t.photos(count, formatNumber(count));

type PlacesProps = { areas: readonly PhotoArea[]; bbox: string; onPress: (area: PhotoArea) => void };

/** The areas that the map shows, the fullest first. */
export function Places({ areas, bbox, onPress }: PlacesProps) {
  return (
    <section aria-labelledby="places" className="grid content-start gap-3">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h2 id="places" className="text-lg font-semibold">
          {t.places}
        </h2>
        {areas.length > 0 && <ShowPhotos bbox={bbox} />}
      </div>
      {areas.length === 0 && <p className="text-soft">{t.none}</p>}
      <ul className="grid gap-1 sm:grid-cols-2 lg:grid-cols-1">
        {areas.slice(0, maxListed).map((area) => (
          <li key={area.bbox}>
            <button
              type="button"
              onClick={() => onPress(area)}
              className="flex w-full items-center gap-3 rounded-control p-1 text-left hover:bg-tint"
            >
              <Thumb photo={area.photo} width={56} className="size-14 shrink-0 rounded-control" />
              <span className="min-w-0">
                <span dir="auto" className="block truncate">
                  {nameOfArea(area)}
                </span>
                <span className="text-sm text-soft">{countOf(area.count)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {areas.length > maxListed && <p className="text-sm text-soft">{t.more(formatNumber(maxListed))}</p>}
    </section>
  );
}

/** The photos of one area. */
export function PhotosOfArea({ area, onClose }: { area: PhotoArea; onClose: () => void }) {
  const { bbox, count } = area;
  const photos = useQuery(photosOfQuery(bbox));
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [bbox]);
  return (
    <section aria-labelledby="area" className="grid content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button variant="quiet" icon={<ArrowLeft />} className="-ml-2" onClick={onClose}>
          {t.back}
        </Button>
        <ShowPhotos bbox={bbox} />
      </div>
      <h2 id="area" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        <span dir="auto">{nameOfArea(area)}</span>{" "}
        <small className="text-sm font-normal text-soft">{countOf(count)}</small>
      </h2>
      <Result of={photos}>
        {(found) => (
          <ul className="grid grid-cols-4 gap-1 overflow-hidden rounded-card sm:grid-cols-6 lg:grid-cols-3">
            {found.map((photo) => (
              <li key={photo.id}>
                <Link
                  to="/photos/$id"
                  params={{ id: String(photo.id) }}
                  search={{ bbox }}
                  aria-label={nameOfPhoto(photo)}
                  title={nameOfPhoto(photo)}
                  onClick={() => setOpenedFromGrid(true)}
                  className="block hover:opacity-85 focus-visible:outline-offset-[-2px]"
                >
                  <Thumb photo={photo} width={110} />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Result>
      {count > maxPhotosShown && <p className="text-sm text-soft">{t.nearest(formatNumber(maxPhotosShown))}</p>}
    </section>
  );
}

const ShowPhotos = ({ bbox }: { bbox: string }) => (
  <Link to="/photos" search={{ bbox }} className={buttonClass()}>
    <Images />
    {t.show}
  </Link>
);
