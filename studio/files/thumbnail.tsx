import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { File } from "../../client/src/index.ts";
import { api } from "../lib/api.ts";
import { useIsDetailed } from "../lib/pace.ts";
import { classes } from "../ui/classes.ts";
import { findPhotoOf } from "./photo-of.ts";

/** A picture up to this size is shown unchanged. For larger ones, the API has small pictures if they are photos. */
const maxBytes = 100_000;
const shown = /^image\/(jpeg|png|gif|webp|avif)$/;

/** A small picture of a picture, or the icon. */
export function Thumbnail({ entry, icon, className }: { entry: File; icon: ReactNode; className?: string }) {
  const [isBroken, setIsBroken] = useState(false);
  const url = usePicture(entry);
  if (isBroken || !url) {
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

function usePicture({ url, contentType, size, sha256 }: File): string | null {
  const isDetailed = useIsDetailed();
  const isPicture = /^(image|video)\//.test(contentType ?? "");
  const isSmall = size <= maxBytes && shown.test(contentType ?? "");
  const { data: photoID } = useQuery({
    queryKey: ["photos", "of content", sha256],
    queryFn: () => findPhotoOf(sha256 ?? ""),
    enabled: isDetailed && isPicture && !isSmall && sha256 !== null,
    staleTime: Infinity,
  });
  if (!isDetailed) return null;
  if (isSmall) return url;
  return photoID ? api.readPhotoImage.url({ id: photoID, w: "320" }) : null;
}
