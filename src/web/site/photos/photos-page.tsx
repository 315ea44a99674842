/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { listPhotosByKey, readTimeline } from "../../../content/photos/list-photos.ts";
import { queryBox, toBox } from "../../../content/photos/lists/box.ts";
import { byTakenAt } from "../../../content/photos/lists/filters.ts";
import { hasShownPlaces } from "../../../content/photos/lists/map.ts";
import type { Month } from "../../../content/photos/lists/months.ts";
import { isPossibleDate, type Photo } from "../../../content/photos/photo.ts";
import type { Reader } from "../../../platform/database/database.ts";
import type { Position } from "../../../platform/database/keyset.ts";
import { cursorQuery, listRequest, nextPage, type PageList, readAll } from "../cursor.ts";
import { printCount } from "../formats.ts";
import type { Language } from "../language.ts";
import { type Page, page } from "../page.ts";
import { Pager } from "../pager.tsx";
import { commonTexts } from "../texts/common.ts";
import { mapTexts } from "../texts/map.ts";
import { photoTexts } from "../texts/photos.ts";
import { listHead } from "../for-programs/head.tsx";
import { findAlbumNames } from "../photo-name.ts";
import { linkToBox } from "./map-view.ts";
import {
  linkToPeriod,
  monthOf,
  nameOfMonth,
  nameOfPeriod,
  type Period,
  periodQuery,
  timesOf,
  yearOf,
  yearsOf,
} from "./period.ts";
import { PhotoRows } from "./photo-rows.tsx";

const photosPerPage = 48;

export const photosPage = (db: Reader): Page =>
  page({
    path: "/photos",
    query: z.object({ ...cursorQuery.shape, ...periodQuery.shape, bbox: queryBox.optional() }),
    async handle({ query: { cursor, year, month, bbox }, ...visit }) {
      const { viewer, language, links } = visit;
      const t = photoTexts[language];
      const period = month ?? year;
      const list: PageList = {
        name: `photos ${period ?? ""}${bbox === undefined ? "" : ` in ${bbox}`}`,
        sort: byTakenAt,
        order: "desc",
        size: photosPerPage,
      };
      const request = listRequest(list, cursor);
      const area = bbox === undefined ? {} : { bbox };
      const [found, months, hasMap] = await Promise.all([
        listPhotosByKey(db, viewer, { ...(period && timesOf(period)), ...area }, request),
        bbox === undefined ? readTimeline(db, viewer, {}) : [],
        hasShownPlaces(db),
      ]);
      const photos = await readAll(found.items);
      const albums = await findAlbumNames(db, viewer, photos);
      const chosen = bbox === undefined ? linkToChosen(period) : `?bbox=${bbox}`;
      const next = nextPage(list, found.next, { ...(period && { [month ? "month" : "year"]: period }), ...area });
      const title = titleOf(language, period, bbox);
      return {
        title,
        section: "photos",
        canonical: cursor || bbox || links.prefix ? null : `/photos${chosen}`,
        head: (
          <>
            {listHead(visit, { path: `/photos${chosen}`, title, feeds: ["photos"] })}
            {next ? <link rel="next" href={`/photos${next}`} /> : null}
          </>
        ),
        body: (
          <div class="wide">
            <header class="page-head">
              <h1>{title}</h1>
              {hasMap && links.prefix === "" ? <MapLink bbox={bbox} language={language} /> : null}
              <Periods months={months} chosen={period} language={language} />
            </header>
            {photos.length === 0 ? (
              <div class="empty">
                <p>
                  {bbox
                    ? mapTexts[language].noneInArea
                    : period
                      ? t.emptyPeriod(nameOfPeriod(period, language))
                      : t.empty}
                </p>
              </div>
            ) : (
              <PhotoRows
                photos={photos}
                visit={visit}
                isFirst
                albums={albums}
                labels={month ? [] : monthLabels(photos, request.after, language)}
              />
            )}
            <Pager
              label={t.title}
              previous={cursor ? [`/photos${chosen}`, t.newest] : null}
              next={next && [`/photos${next}`, commonTexts[language].older]}
            />
          </div>
        ),
      };
    },
  });

/** For each photo, the month that begins with it, or null. `after` is the last photo of the page before. */
function monthLabels(photos: Photo[], after: Position | null, language: Language): (string | null)[] {
  const time = after?.key ?? null;
  const isDated = typeof time === "number" && isPossibleDate(time);
  const last = after && { takenAt: isDated ? new Date(time).toISOString() : null };
  return photos.map((photo, index) => {
    const before = index === 0 ? last : photos[index - 1];
    const month = monthOf(photo);
    if (before && monthOf(before) === month) return null;
    return month === null ? photoTexts[language].undated : nameOfPeriod(month, language);
  });
}

function titleOf(language: Language, period: Period | undefined, bbox: string | undefined): string {
  if (bbox !== undefined) return mapTexts[language].photosHere;
  return period ? photoTexts[language].photosOf(nameOfPeriod(period, language)) : photoTexts[language].title;
}

/** To the world or, from the photos of an area, to where it is. */
function MapLink({ bbox, language }: { bbox: string | undefined; language: Language }) {
  const t = mapTexts[language];
  return (
    <p>
      <a href={bbox === undefined ? "/map" : linkToBox(toBox(bbox))}>{bbox === undefined ? t.link : t.toMap}</a>
    </p>
  );
}

const linkToChosen = (period: Period | undefined) => (period ? linkToPeriod(period) : "");

type PeriodsProps = { months: Month[]; chosen: Period | undefined; language: Language };

/** Links to all years and, if one of them is chosen or there is only one, to its months. */
function Periods({ months, chosen, language }: PeriodsProps) {
  const years = yearsOf(months);
  if (months.length < 2) return null;
  const t = photoTexts[language];
  const year = chosen ? yearOf(chosen) : years.length === 1 ? years[0] : undefined;
  const shown = months.filter(({ month }) => yearOf(month) === year).toReversed();
  const isAt = (period: Period | undefined) => (chosen === period ? "page" : undefined);
  return (
    <nav class="periods" aria-label={t.periods}>
      <ul>
        <li>
          <a href="/photos" aria-current={isAt(undefined)}>
            {t.allYears}
          </a>
        </li>
        {years.map((one) => (
          <li>
            <a href={linkToPeriod(one)} aria-current={isAt(one) ?? (one === year && chosen ? "true" : undefined)}>
              {one}
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? null : (
        <ul>
          {shown.map(({ month, count }) => (
            <li>
              <a href={linkToPeriod(month)} aria-current={isAt(month)}>
                {nameOfMonth(month, language)} <small>{printCount(count, language)}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
