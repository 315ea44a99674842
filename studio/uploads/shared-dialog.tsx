import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileImage } from "lucide-react";
import { useEffect, useState } from "react";
import { useDefaultVisibility, type Visibility } from "../lib/default-visibility.ts";
import { formatBytes } from "../lib/format.ts";
import { showToast } from "../lib/toasts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { iconOf } from "../ui/visibility-mark.tsx";
import { forgetShared, readShared } from "./shared-files.ts";
import { uploadTexts as t } from "./texts.ts";
import { addUploads, photoDirectory } from "./uploads.ts";

const maxPreviews = 12;

/** Asks what becomes of the files that another app has shared, if there are any. Closed without a decision, it asks again next time. */
export function SharedDialog() {
  const { shared } = useSearch({ strict: false }) as { shared?: string };
  const navigate = useNavigate();
  const usual = useDefaultVisibility();
  const [files, setFiles] = useState<File[]>([]);
  useEffect(() => void readShared().then(setFiles), []);
  useEffect(() => {
    if (shared === "failed") showToast({ text: t.sharedFailed, isFailure: true });
    if (shared !== undefined) void navigate({ to: "/photos", search: {}, replace: true });
  }, [shared, navigate]);
  if (files.length === 0) return null;

  const close = () => setFiles([]);
  const finish = async (visibility: Visibility | null) => {
    const chosen = files.map((file) => ({ file }));
    if (visibility) addUploads(chosen, { directory: photoDirectory, isPhoto: true, visibility });
    close();
    await forgetShared();
  };
  const order: Visibility[] = usual === "public" ? ["private", "public"] : ["public", "private"];
  return (
    <Dialog
      title={t.sharedTitle(files.length)}
      onClose={close}
      actions={
        <>
          <Button
            className="max-sm:order-last max-sm:w-full sm:mr-auto"
            variant="quiet"
            onClick={() => void finish(null)}
          >
            {t.sharedDiscard}
          </Button>
          {order.map((visibility) => {
            const Icon = iconOf(visibility);
            const isUsual = visibility === usual;
            return (
              <Button
                key={visibility}
                className="max-sm:w-full"
                variant={isUsual ? "main" : "plain"}
                icon={<Icon />}
                data-focused={isUsual || undefined}
                onClick={() => void finish(visibility)}
              >
                {t.sharedUpload[visibility]}
              </Button>
            );
          })}
        </>
      }
    >
      <p>{t.sharedHint(files.length)}</p>
      <ul className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(5rem,1fr))] gap-2">
        {files.slice(0, maxPreviews).map((file, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Preview key={index} file={file} />
        ))}
      </ul>
      <p className="mt-3 text-sm text-soft">{formatBytes(files.reduce((sum, { size }) => sum + size, 0))}</p>
    </Dialog>
  );
}

function Preview({ file }: { file: File }) {
  const [url, setURL] = useState("");
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const created = URL.createObjectURL(file);
    setURL(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return (
    <li
      className="grid aspect-square place-items-center overflow-hidden rounded-control bg-tint text-soft"
      title={file.name}
    >
      {url === "" ? (
        <span className="grid w-full justify-items-center gap-1 p-1 text-xs">
          <FileImage className="size-5" />
          <span className="max-w-full truncate" dir="auto">
            {file.name}
          </span>
        </span>
      ) : (
        // Not every browser shows every format.
        <img src={url} alt={file.name} className="size-full object-cover" onError={() => setURL("")} />
      )}
    </li>
  );
}
