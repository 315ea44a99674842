/** @jsxImportSource hono/jsx */
import type { PropsWithChildren } from "hono/jsx";
import type { Place } from "../../../core/images/image.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import { dayAndTime } from "../day.tsx";
import { numberFormat } from "../formats.ts";
import type { Language } from "../language.ts";
import { photoTexts } from "../texts/photos.ts";
import { cameraOf, exposureOf, printDuration } from "./format.ts";

/** What is known about a photo, as far as the viewer may know it, in a line whose parts are named for screen readers. */
export function Facts({ photo, language }: { photo: Photo; language: Language }) {
  const t = photoTexts[language];
  const { exif, place, takenAt, createdAt, duration, width, height, isCutOff } = photo;
  return (
    <dl class="facts">
      <Fact name={takenAt === null ? t.published : t.taken}>
        <time datetime={takenAt ?? createdAt}>{printTime(takenAt ?? createdAt, language)}</time>
      </Fact>
      <Fact name={t.place}>{place ? <PlaceText place={place} language={language} /> : null}</Fact>
      <Fact name={t.camera}>{cameraOf(photo)}</Fact>
      <Fact name={t.lens}>{exif?.lens}</Fact>
      <Fact name={t.exposure}>{exposureOf(photo, language)}</Fact>
      <Fact name={t.duration}>{duration === null ? null : printDuration(duration)}</Fact>
      <Fact name={t.size}>{`${width} × ${height}`}</Fact>
      <Fact name={t.state}>{isCutOff ? t.cutOff : null}</Fact>
    </dl>
  );
}

function Fact({ name, children }: PropsWithChildren<{ name: string }>) {
  if (!children) return null;
  return (
    <div>
      <dt class="visually-hidden">{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

const fourDigits = numberFormat({ maximumFractionDigits: 4 });

/** Its name, and a link that opens the place in the visitor's own map. */
function PlaceText({ place, language }: { place: Place; language: Language }) {
  const { name, latitude, longitude } = place;
  if (latitude === null || longitude === null) return <>{name}</>;
  const print = (degrees: number) => fourDigits(language).format(degrees);
  return (
    <>
      {name ? `${name} · ` : null}
      <a href={`geo:${latitude},${longitude}`} rel="nofollow">
        {print(latitude)}°, {print(longitude)}°
      </a>
    </>
  );
}

/** The clock of the camera, which has no time zone. */
const printTime = (time: string, language: Language): string => dayAndTime(language).format(new Date(time));
