import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { photoQuery } from "../photos/photo-queries.ts";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { sourceOf } from "../pickers/thumb.tsx";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { settingsTexts as t } from "./texts.ts";

type Texts = { label: string; choose: string; remove: string };
type Common = {
  disabled: boolean;
  hint: string | undefined;
  error: string | null;
  onChange: (id: number | null) => void;
};

/** The picture that browsers show for the site: the file of one of the photos. */
export function IconField({ fileID, isSaved, ...rest }: Common & { fileID: number | null; isSaved: boolean }) {
  const chosen = useQuery({
    queryKey: ["files", fileID],
    queryFn: ({ signal }) => api.readFile({ id: fileID ?? 0 }, { signal }),
    enabled: fileID !== null && !isSaved,
  });
  return (
    <PictureField
      {...rest}
      texts={t.icon}
      title={t.icon.label}
      source={isSaved ? `/apple-touch-icon.png?${fileID}` : chosen.data?.url}
      frame="size-16"
      isChosen={fileID !== null}
      idOf={({ file }) => file?.id}
    />
  );
}

type PhotoProps = Common & {
  texts: Texts;
  photoID: number | null;
  /** Whether all of the photo is shown, as in the header, or as much as fills its place. */
  isWhole?: boolean;
};

/** One of the photos that represent the site: its logo, or its cover. */
export function SitePhotoField({ texts, photoID, hint, ...rest }: PhotoProps) {
  const { data } = useQuery({ ...photoQuery(photoID ?? 0), enabled: photoID !== null });
  const photo = photoID === null ? undefined : data;
  return (
    <PictureField
      {...rest}
      texts={texts}
      title={texts.choose}
      source={photo && sourceOf(photo, 160)}
      frame="aspect-video w-40"
      hint={photo?.visibility === "private" ? t.privateSitePhoto : hint}
      isChosen={photoID !== null}
      idOf={({ id }) => id}
    />
  );
}

type Props = Common & {
  texts: Texts;
  /** Of the dialog in which a photo is chosen. */
  title: string;
  source: string | null | undefined;
  frame: string;
  isWhole?: boolean;
  isChosen: boolean;
  idOf: (photo: Photo) => number | undefined;
};

function PictureField(props: Props) {
  const { texts, title, source, frame, isWhole, isChosen, idOf, disabled, hint, error, onChange } = props;
  const id = useId();
  const [isPicking, setPicking] = useState(false);
  return (
    <div role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-4">
      <span className={classes("shrink-0 overflow-hidden rounded-card border border-line bg-tint", frame)}>
        {source && (
          <img src={source} alt="" className={classes("size-full", isWhole ? "object-contain p-2" : "object-cover")} />
        )}
      </span>
      <div className="min-w-48 flex-1">
        <p id={id} className="font-medium">
          {texts.label}
        </p>
        <p role={error ? "alert" : undefined} className={error ? "text-sm text-danger" : "text-sm text-soft"}>
          {error ?? hint}
        </p>
        {!disabled && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={() => setPicking(true)}>{texts.choose}</Button>
            {isChosen && (
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
          title={title}
          onPick={([photo]) => {
            const picked = photo && idOf(photo);
            if (picked !== undefined) onChange(picked);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}
