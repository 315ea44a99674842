import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../lib/api.ts";
import { PhotoPicker } from "../pickers/photo-picker.tsx";
import { Button } from "../ui/button.tsx";
import { settingsTexts as t } from "./texts.ts";

type Props = {
  fileID: number | null;
  isSaved: boolean;
  disabled: boolean;
  hint: string | undefined;
  error: string | null;
  onChange: (fileID: number | null) => void;
};

/** The picture that browsers show for the site: one of the photos. */
export function IconField({ fileID, isSaved, disabled, hint, error, onChange }: Props) {
  const id = useId();
  const [isPicking, setPicking] = useState(false);
  const chosen = useQuery({
    queryKey: ["files", fileID],
    queryFn: ({ signal }) => api.readFile({ id: fileID ?? 0 }, { signal }),
    enabled: fileID !== null && !isSaved,
  });
  const source = isSaved || fileID === null ? `/apple-touch-icon.png?${fileID}` : chosen.data?.url;
  return (
    <div role="group" aria-labelledby={id} className="flex items-center gap-4">
      <span className="size-16 shrink-0 overflow-hidden rounded-card border border-line bg-tint">
        {source && (isSaved || fileID !== null) && <img src={source} alt="" className="size-full object-cover" />}
      </span>
      <div className="min-w-0">
        <p id={id} className="font-medium">
          {t.icon}
        </p>
        <p role={error ? "alert" : undefined} className={error ? "text-sm text-danger" : "text-sm text-soft"}>
          {error ?? hint}
        </p>
        {!disabled && (
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onClick={() => setPicking(true)}>{t.chooseIcon}</Button>
            {fileID !== null && (
              <Button variant="quiet" onClick={() => onChange(null)}>
                {t.removeIcon}
              </Button>
            )}
          </div>
        )}
      </div>
      {isPicking && (
        <PhotoPicker
          isSingle
          title={t.icon}
          onPick={([photo]) => photo?.file && onChange(photo.file.id)}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
}
