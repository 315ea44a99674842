import { useState } from "react";
import type { Photo, PhotoChanges } from "../../../client/src/index.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { PlaceMap } from "./place-map.tsx";
import { detailsTexts as t } from "./texts.ts";

type Place = NonNullable<PhotoChanges["place"]>;
type Props = {
  place: Photo["place"] | Place | null;
  /** Of photos whose files may have different places. */
  isOfMany?: boolean;
  onChange: (place: Place | null) => void;
};

/** Where the photo was taken. It changes when both coordinates are given. */
export function PlaceFields({ place, isOfMany = false, onChange }: Props) {
  const [typed, setTyped] = useState<{ latitude: string; longitude: string; name: string } | null>(null);
  const shown = typed ?? {
    latitude: place?.latitude?.toString() ?? "",
    longitude: place?.longitude?.toString() ?? "",
    name: place?.name ?? "",
  };
  const type = (changed: Partial<typeof shown>) => {
    const next = { ...shown, ...splitPair(changed) };
    setTyped(next);
    const [latitude, longitude] = [toNumber(next.latitude, 90), toNumber(next.longitude, 180)];
    if (latitude !== null && longitude !== null) onChange({ latitude, longitude, name: next.name.trim() || null });
  };
  const wrong = (text: string, max: number) => (text && toNumber(text, max) === null ? t.coordinateWrong(max) : null);
  const [latitude, longitude] = [place?.latitude ?? null, place?.longitude ?? null];
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{t.fields.place}</h3>
      {latitude !== null && longitude !== null && <PlaceMap latitude={latitude} longitude={longitude} />}
      <TextField
        label={t.placeName}
        dir="auto"
        maxLength={300}
        value={shown.name}
        onChange={({ target }) => type({ name: target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t.latitude}
          inputMode="text"
          placeholder="38.7071"
          value={shown.latitude}
          error={wrong(shown.latitude, 90)}
          onChange={({ target }) => type({ latitude: target.value })}
        />
        <TextField
          label={t.longitude}
          inputMode="text"
          placeholder="-9.1355"
          value={shown.longitude}
          error={wrong(shown.longitude, 180)}
          onChange={({ target }) => type({ longitude: target.value })}
        />
      </div>
      <p className="text-sm text-soft">{t.placeHint}</p>
      {!isOfMany && (
        <Button
          variant="quiet"
          className="justify-self-start !px-0 !text-accent"
          onClick={() => {
            setTyped(null);
            onChange(null);
          }}
        >
          {t.placeOfFile}
        </Button>
      )}
    </section>
  );
}

/** Maps copy coordinates as a pair: it may be pasted into either field. */
function splitPair<Fields extends { latitude?: string; longitude?: string }>(changed: Fields) {
  const pair = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(
    changed.latitude ?? changed.longitude ?? "",
  );
  return pair ? { ...changed, latitude: pair[1] ?? "", longitude: pair[2] ?? "" } : changed;
}

function toNumber(text: string, max: number): number | null {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || Number.isNaN(value) || Math.abs(value) > max ? null : value;
}
