import type { LucideIcon } from "lucide-react";
import { useState } from "react";
import { classes } from "./classes.ts";

type Props = { image: string | null; icon: LucideIcon; label?: string; className?: string };

/** A small square with the picture of a record, or with the icon of its kind. */
export function RecordThumb({ image, icon: Icon, label, className }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const isShown = image !== null && image !== broken;
  return (
    <span
      className={classes(
        "relative grid size-10 shrink-0 place-items-center overflow-hidden rounded-control bg-tint text-soft",
        className,
      )}
    >
      {isShown ? (
        <img
          src={image}
          alt={label ?? ""}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(image)}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <Icon {...(label && { role: "img", "aria-label": label })} className="size-5 stroke-[1.75]" />
      )}
    </span>
  );
}
