import { ChevronLeft, ChevronRight, CirclePlay, Hourglass, ImageOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { previewOf } from "../../grid/thumbhash.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { viewerTexts as t } from "./texts.ts";
import { useGestures } from "./use-gestures.ts";

type Props = {
  photo: Photo;
  previous: Photo | null;
  next: Photo | null;
  onGo: (photo: Photo) => void;
  onClose: () => void;
  /** Set to a function that zooms in or out, for the key and the button. */
  zoom: { current: () => void };
};

/** The picture or the video itself, as large as there is space. */
export function Stage({ photo, previous, next, onGo, onClose, zoom }: Props) {
  const { element, position, isMoving, handlers, toggleZoom } = useGestures(photo.id, {
    onNext: () => next && onGo(next),
    onPrevious: () => previous && onGo(previous),
    onClose,
  });
  zoom.current = toggleZoom;
  usePreloaded(next);
  usePreloaded(previous);
  const { scale, x, y } = position;
  return (
    <div
      ref={element}
      {...handlers}
      className={classes(
        "relative min-h-0 min-w-0 flex-1 touch-none overflow-hidden select-none",
        scale > 1 && (isMoving ? "cursor-grabbing" : "cursor-grab"),
      )}
    >
      <div
        key={photo.id}
        className={classes("grid size-full place-items-center", !isMoving && "transition-transform duration-150")}
        style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
      >
        <Picture photo={photo} scale={scale} />
      </div>
      {previous && (
        <IconButton label={t.previous} onClick={() => onGo(previous)} className={classes(arrow, "left-2")}>
          <ChevronLeft />
        </IconButton>
      )}
      {next && (
        <IconButton label={t.next} onClick={() => onGo(next)} className={classes(arrow, "right-2")}>
          <ChevronRight />
        </IconButton>
      )}
    </div>
  );
}

const arrow = "!absolute top-1/2 -translate-y-1/2 !bg-black/40 !text-white hover:!bg-black/70";

function Picture({ photo, scale }: { photo: Photo; scale: number }) {
  const { kind, variants, file, thumbhash, title, altText, width, height, motion, isPreparing } = photo;
  const [isPlaying, setIsPlaying] = useState(false);
  const largest = variants.at(-1)?.url;
  if (kind === "video" && file?.url) {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video
        controls
        autoPlay={false}
        playsInline
        preload="metadata"
        poster={largest}
        src={file.url}
        className="size-full object-contain"
      />
    );
  }
  if (!largest) {
    return (
      <p role="status" className="grid place-items-center gap-3 p-8 text-center text-balance text-white/80">
        {isPreparing ? <Hourglass className="size-10 stroke-1" /> : <ImageOff className="size-10 stroke-1" />}
        {isPreparing ? t.preparing : t.noPicture}
      </p>
    );
  }
  if (motion && isPlaying) {
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    return (
      <video
        autoPlay
        playsInline
        src={motion.url}
        className="size-full object-contain"
        onEnded={() => setIsPlaying(false)}
      />
    );
  }
  return (
    <>
      <img
        alt={altText || title}
        {...sourcesOf(photo, scale)}
        width={width}
        height={height}
        draggable={false}
        decoding="async"
        className="absolute inset-0 size-full object-contain"
        style={thumbhash ? { background: `center / contain no-repeat url(${previewOf(thumbhash)})` } : undefined}
        onLoad={({ currentTarget }) => currentTarget.style.removeProperty("background")}
      />
      {motion && (
        <Button icon={<CirclePlay />} onClick={() => setIsPlaying(true)} className="!absolute bottom-4">
          {t.playMotion}
        </Button>
      )}
    </>
  );
}

function sourcesOf({ variants, width, height }: Photo, scale = 1) {
  const shown = Math.min(innerWidth, (innerHeight * width) / height, width);
  return {
    src: variants.at(-1)?.url ?? "",
    srcSet: variants.map(({ url, width }) => `${url} ${width}w`).join(", "),
    sizes: `${Math.ceil(shown * scale)}px`,
  };
}

/** Loads a picture that is probably shown next. */
function usePreloaded(photo: Photo | null): void {
  const loading = useRef<HTMLImageElement>(null);
  const id = photo?.id;
  useEffect(() => {
    if (!photo || photo.kind === "video" || photo.variants.length === 0) return;
    const image = new Image();
    const { src, srcSet, sizes } = sourcesOf(photo);
    Object.assign(image, { sizes, srcset: srcSet, src });
    loading.current = image;
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
}
