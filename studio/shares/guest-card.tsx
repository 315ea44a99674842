import { Check, FileVideo, X } from "lucide-react";
import { useState } from "react";
import { api } from "../lib/api.ts";
import { formatAgo, formatBytes } from "../lib/format.ts";
import { words } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { shareTexts as t } from "./texts.ts";
import type { Guest } from "./waiting.ts";

type Props = {
  guest: Guest;
  /** What the link leads to. */
  place: string;
  isSelected: boolean;
  onToggle: (isRange: boolean) => void;
  onApprove: () => void;
  onReject: () => void;
};

export function GuestCard({ guest, place, isSelected, onToggle, onApprove, onReject }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const { share, upload } = guest;
  const { name, guestName, size, createdAt, contentType } = upload;
  const url = api.readShareUpload.url({ id: share.id, uploadID: upload.id });
  const isVideo = contentType.startsWith("video/");
  return (
    <li
      className={classes(
        "relative flex min-w-0 flex-col gap-2 rounded-card border bg-surface p-2",
        isSelected ? "border-accent" : "border-line",
      )}
    >
      <button type="button" aria-label={t.look(name)} onClick={() => setIsOpen(true)} className="rounded-control">
        <span className="grid aspect-[4/3] place-items-center overflow-hidden rounded-control bg-tint text-soft">
          {isVideo ? (
            <FileVideo className="size-8" />
          ) : (
            <img src={url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
          )}
        </span>
      </button>
      <label className="absolute top-2 left-2 grid size-11 place-items-center">
        <input
          type="checkbox"
          aria-label={words.select(name)}
          checked={isSelected}
          onClick={(event) => onToggle(event.shiftKey)}
          onChange={() => {}}
          className="size-5 accent-accent"
        />
      </label>
      <div className="min-w-0 px-1">
        <p className="truncate font-medium" title={name}>
          {guestName ? t.from(guestName) : words.unnamed}
        </p>
        <p className="truncate text-sm text-soft">{place}</p>
        <p className="truncate text-sm text-soft">
          {formatAgo(createdAt)} · {formatBytes(size)}
        </p>
      </div>
      <div className="mt-auto flex flex-wrap gap-2">
        <Button className="flex-1" icon={<Check />} onClick={onApprove}>
          {words.approve}
        </Button>
        <Button variant="quiet" className="flex-1" icon={<X />} onClick={onReject}>
          {t.reject}
        </Button>
      </div>
      {isOpen && (
        <Dialog title={name} width="wide" onClose={() => setIsOpen(false)}>
          {isVideo ? (
            <video src={url} controls className="mx-auto max-h-[70dvh] max-w-full" />
          ) : (
            <img src={url} alt={name} className="mx-auto max-h-[70dvh] max-w-full" />
          )}
        </Dialog>
      )}
    </li>
  );
}
