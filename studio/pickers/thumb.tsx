import { ImageOff, Play } from "lucide-react";
import type { Photo } from "../../client/src/index.ts";
import { colourOf, previewOf } from "../grid/thumbhash.ts";
import { useIsDetailed } from "../lib/pace.ts";
import { classes } from "../ui/classes.ts";

/** What is needed of a photo to show it. */
type ThumbPhoto = Pick<Photo, "variants" | "thumbhash"> & { kind?: Photo["kind"] };

type Props = { photo: ThumbPhoto | null; width?: number; className?: string; isChosen?: boolean };

/** A photo as a square, or without one a sign that there is no picture. The text beside it says what it shows. */
export function Thumb({ photo, width = 320, className, isChosen = false }: Props) {
  const isDetailed = useIsDetailed();
  const source = photo && sourceOf(photo, width);
  return (
    <span
      className={classes(
        "relative grid aspect-square place-items-center overflow-hidden bg-tint bg-cover text-soft",
        className,
      )}
      style={photo?.thumbhash ? backgroundOf(photo.thumbhash, isDetailed) : undefined}
    >
      {!isDetailed ? null : source ? (
        <img
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <ImageOff className="size-1/4 max-w-8 stroke-[1.25]" />
      )}
      {photo?.kind === "video" && (
        <Play className="absolute right-1.5 bottom-1.5 size-5 rounded-full bg-black/60 fill-white p-1 text-white" />
      )}
      {isChosen && <span className="absolute inset-0 rounded-[inherit] border-4 border-accent" />}
    </span>
  );
}

const backgroundOf = (thumbhash: string, isDetailed: boolean) =>
  isDetailed ? { backgroundImage: `url(${previewOf(thumbhash)})` } : { backgroundColor: colourOf(thumbhash) };

/** The smallest variant that is wide enough. */
export function sourceOf({ variants }: Pick<Photo, "variants">, width: number): string | null {
  const wanted = width * Math.min(2, devicePixelRatio);
  const sorted = variants.toSorted((one, other) => one.width - other.width);
  return (sorted.find((variant) => variant.width >= wanted) ?? sorted.at(-1))?.url ?? null;
}
