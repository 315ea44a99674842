import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { photoQuery } from "../photos/photo-queries.ts";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { sourceOf } from "../pickers/thumb.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { settingsTexts as t } from "./texts.ts";

type Props = {
  texts: { label: string; choose: string; remove: string };
  photoID: number | null;
  /** Whether all of the photo is shown, as in the header, or as much as fills its place. */
  isWhole: boolean;
  disabled: boolean;
  hint: string | undefined;
  error: string | null;
  onChange: (photoID: number | null) => void;
};

/** One of the photos that stands for the site: its logo, or its cover. */
export function SitePhotoField({ texts, photoID, isWhole, disabled, hint, error, onChange }: Props) {
  const id = useId();
  const [isPicking, setPicking] = useState(false);
  const { data } = useQuery({ ...photoQuery(photoID ?? 0), enabled: photoID !== null });
  const photo = photoID === null ? undefined : data;
  const source = photo && sourceOf(photo, 160);
  return (
    <div role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-4">
      <span className="aspect-video w-40 shrink-0 overflow-hidden rounded-card border border-line bg-tint">
        {source && (
          <img src={source} alt="" className={classes("size-full", isWhole ? "object-contain p-2" : "object-cover")} />
        )}
      </span>
      <div className="min-w-48 flex-1">
        <p id={id} className="font-medium">
          {texts.label}
        </p>
        <p role={error ? "alert" : undefined} className={error ? "text-sm text-danger" : "text-sm text-soft"}>
          {error ?? (photo?.visibility === "private" ? t.privateSitePhoto : hint)}
        </p>
        {!disabled && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={() => setPicking(true)}>{texts.choose}</Button>
            {photoID !== null && (
              <Button variant="quiet" onClick={() => onChange(null)}>
                {texts.remove}
              </Button>
            )}
          </div>
        )}
      </div>
      {isPicking && (
        <PhotoPicker
          isSingle
          title={texts.choose}
          onPick={([picked]) => picked && onChange(picked.id)}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}
