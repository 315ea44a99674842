import { type ReactNode, useState } from "react";
import type { File } from "../../../../client/src/index.ts";
import { classes } from "../ui/classes.ts";

/** Larger pictures would take too long: the API has small ones of photos only. */
const mostBytes = 2_000_000;
const shown = /^image\/(jpeg|png|gif|webp|avif)$/;

/** A small picture of a picture, or the icon. */
export function Thumbnail({ entry, icon, className }: { entry: File; icon: ReactNode; className?: string }) {
  const [isBroken, setIsBroken] = useState(false);
  const { url, contentType, size } = entry;
  if (isBroken || !url || size > mostBytes || !shown.test(contentType ?? "")) {
    return <span className={classes("grid shrink-0 place-items-center", className)}>{icon}</span>;
  }
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setIsBroken(true)}
      className={classes("shrink-0 rounded-sm object-cover", className)}
    />
  );
}
