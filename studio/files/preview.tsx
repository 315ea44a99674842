import { ChevronLeft, ChevronRight, Download, ExternalLink, Info, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { File } from "../../client/src/index.ts";
import { downloadURL } from "../download/download.ts";
import { api } from "../lib/api.ts";
import { words } from "../lib/words.ts";
import { IconButton, iconButtonClass } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { focusActive } from "./body-keys.ts";
import { PreviewContent } from "./preview-content.tsx";
import { fileTexts as t } from "./texts.ts";

type Props = {
  file: File;
  /** The files of the directory, in the order of the screen. */
  files: readonly File[];
  onShow: (file: File) => void;
  onDetails: (file: File) => void;
  onClose: () => void;
};

/** Shows a file over the whole screen. Arrows lead to the next one, space and Escape close it. */
export function Preview({ file, files, onShow, onDetails, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const index = files.findIndex(({ id }) => id === file.id);
  const [previous, next] = [files[index - 1], files[index + 1]];
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Not a button: the space bar would press it.
    element?.focus();
    return () => {
      element?.close();
      // Not the entry that was opened: others were shown since.
      setTimeout(() => focusActive());
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={file.name}
      tabIndex={-1}
      className="m-0 h-dvh max-h-none w-dvw max-w-none bg-paper text-ink outline-none"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        const isMedia = (event.target as Element).matches("video, audio, [data-scrolls]");
        const isButton = (event.target as Element).matches("button, a");
        if (event.key === " " && !isMedia && !isButton) onClose();
        else if (event.key === "ArrowLeft" && previous && !isMedia) onShow(previous);
        else if (event.key === "ArrowRight" && next && !isMedia) onShow(next);
        else return;
        event.preventDefault();
      }}
    >
      <div className="flex h-full flex-col">
        <header className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-4">
          <h2 className="min-w-0 flex-1 truncate font-semibold">{file.name}</h2>
          <IconButton label={words.details} onClick={() => onDetails(file)}>
            <Info />
          </IconButton>
          <a
            href={api.readContent.url({ id: file.id })}
            target="_blank"
            rel="noopener"
            aria-label={t.openTab}
            title={t.openTab}
            className={classes(iconButtonClass(), "max-md:hidden")}
          >
            <ExternalLink />
          </a>
          <a
            href={downloadURL(file)}
            download
            aria-label={words.download}
            title={words.download}
            className={iconButtonClass()}
          >
            <Download />
          </a>
          <IconButton label={words.close} onClick={onClose}>
            <X />
          </IconButton>
        </header>
        <div className="relative flex min-h-0 flex-1">
          <PreviewContent key={file.id} file={file} />
          <Turn side="left" file={previous} onShow={onShow} />
          <Turn side="right" file={next} onShow={onShow} />
        </div>
      </div>
    </dialog>
  );
}

type TurnProps = { side: "left" | "right"; file: File | undefined; onShow: (file: File) => void };

function Turn({ side, file, onShow }: TurnProps) {
  if (!file) return null;
  return (
    <IconButton
      label={side === "left" ? t.previous : words.next}
      variant="plain"
      onClick={() => onShow(file)}
      className={classes(
        "absolute top-1/2 -translate-y-1/2 !rounded-full opacity-80 hover:opacity-100",
        side === "left" ? "left-2" : "right-2",
      )}
    >
      {side === "left" ? <ChevronLeft /> : <ChevronRight />}
    </IconButton>
  );
}
