import { Check, Heart, Hourglass, ImageOff, Play } from "lucide-react";
import { memo, type MouseEvent, type SyntheticEvent, useState } from "react";
import type { Photo } from "../../client/src/index.ts";
import { formatDuration } from "../lib/format.ts";
import { useIsDetailed } from "../lib/pace.ts";
import { nameOfPhoto } from "../lib/photo-name.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { iconOf } from "../ui/visibility-mark.tsx";
import type { Box } from "./justify.ts";
import { gridTexts as t } from "./texts.ts";
import { colourOf, previewOf } from "./thumbhash.ts";

export type CellActions = {
  href(photo: Photo): string;
  open(photo: Photo): void;
  toggle(photo: Photo, isRange: boolean): void;
  focus(photo: Photo): void;
};

type Props = {
  photo: Photo;
  box: Box;
  actions: CellActions;
  isSelected: boolean;
  /** A click selects instead of opening. */
  isSelecting: boolean;
  isTabStop: boolean;
};

export const PhotoCell = memo(function PhotoCell(props: Props) {
  const isDetailed = useIsDetailed();
  return isDetailed || props.isTabStop ? <DetailedCell {...props} /> : <PlainCell {...props} />;
});

/** While the page moves too fast to see more than a shape and a colour. */
function PlainCell({ photo: { thumbhash }, box, isSelected }: Props) {
  return (
    <li
      aria-hidden="true"
      className={classes("absolute rounded-xs bg-tint", isSelected && "ring-3 ring-accent")}
      style={{ ...box, backgroundColor: thumbhash ? colourOf(thumbhash) : undefined }}
    />
  );
}

function DetailedCell(props: Props) {
  const { photo, box, actions, isSelected, isSelecting, isTabStop } = props;
  const title = nameOfPhoto(photo) || t.untitled(photo.id);
  const press = useLongPress(() => actions.toggle(photo, false));
  const click = (event: MouseEvent) => {
    if (press.wasLong()) return event.preventDefault();
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey || isSelecting) actions.toggle(photo, event.shiftKey);
    else actions.open(photo);
  };
  return (
    <li className="group absolute" style={box}>
      <a
        href={actions.href(photo)}
        data-photo={photo.id}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={labelOf(photo, title)}
        draggable={false}
        onClick={click}
        onFocus={() => actions.focus(photo)}
        onKeyDown={(event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          actions.toggle(photo, event.shiftKey);
        }}
        {...press.handlers}
        className={classes(
          "block size-full overflow-hidden rounded-xs bg-tint select-none [-webkit-touch-callout:none]",
          "outline-offset-2 focus-visible:z-10",
          isSelected && "ring-3 ring-accent",
        )}
      >
        <Picture {...props} />
      </a>
      <Badges photo={photo} />
      <button
        type="button"
        tabIndex={-1}
        aria-pressed={isSelected}
        aria-label={t.select(title)}
        onClick={(event) => actions.toggle(photo, event.shiftKey)}
        className={classes(
          "absolute top-0 left-0 grid size-10 place-items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100",
          isSelecting ? "opacity-100" : "pointer-coarse:hidden",
        )}
      >
        <span
          className={classes(
            "grid size-5 place-items-center rounded-full border-2 [&>svg]:size-3 [&>svg]:stroke-[4]",
            isSelected ? "border-accent bg-accent text-on-accent" : "border-white bg-black/40",
          )}
        >
          {isSelected && <Check />}
        </span>
      </button>
    </li>
  );
}

const labelOf = (photo: Photo, title: string): string =>
  [
    title,
    photo.kind === "video" && t.video,
    photo.kind === "image" && photo.isPreparing && t.preparing,
    photo.isFavourite && words.favourite,
    words[photo.visibility],
  ]
    .filter(Boolean)
    .join(", ");

function Picture({ photo, box, isSelected }: Props) {
  const { variants, thumbhash } = photo;
  if (variants.length === 0) {
    return (
      <span className="grid size-full place-items-center text-soft">
        {photo.kind === "video" ? <Play /> : photo.isPreparing ? <Hourglass /> : <ImageOff />}
      </span>
    );
  }
  return (
    <img
      alt=""
      srcSet={variants.map(({ url, width }) => `${url} ${width}w`).join(", ")}
      src={variants[0]?.url}
      sizes={`${Math.ceil(box.width)}px`}
      decoding="async"
      draggable={false}
      className={classes("size-full object-cover transition-transform", isSelected && "scale-95")}
      style={thumbhash ? { background: `center / cover url(${previewOf(thumbhash)})` } : undefined}
      onLoad={({ currentTarget }) => currentTarget.style.removeProperty("background")}
      onError={tryAgain}
    />
  );
}

/** The server answers 503 while it makes many pictures. */
function tryAgain({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): void {
  const attempts = Number(image.dataset["attempts"] ?? 0);
  if (attempts >= 3) return;
  image.dataset["attempts"] = String(attempts + 1);
  const { srcset } = image;
  // The same sources again make the browser load them again.
  setTimeout(() => image.isConnected && Object.assign(image, { srcset }), 1500 * (attempts + 1));
}

function Badges({ photo: { kind, duration, isFavourite, visibility } }: { photo: Photo }) {
  const Visibility = iconOf(visibility);
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute right-1 bottom-1 flex items-center gap-1 rounded-full bg-black/55 px-1 py-1 text-xs text-white [&>svg]:size-3"
    >
      <Visibility />
      {isFavourite && <Heart className="fill-current" />}
      {kind === "video" && <Play className="fill-current" />}
      {kind === "video" && duration !== null && formatDuration(duration)}
    </span>
  );
}

const longPressMilliseconds = 450;

/** A long touch, as phones use it to begin a selection. */
function useLongPress(run: () => void) {
  const [state] = useState<{ timer?: ReturnType<typeof setTimeout>; wasLong: boolean }>({ wasLong: false });
  const end = () => clearTimeout(state.timer);
  return {
    wasLong: () => state.wasLong,
    handlers: {
      onPointerDown({ pointerType }: { pointerType: string }) {
        state.wasLong = false;
        clearTimeout(state.timer);
        if (pointerType !== "touch") return;
        state.timer = setTimeout(() => {
          state.wasLong = true;
          navigator.vibrate?.(10);
          run();
        }, longPressMilliseconds);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onContextMenu(event: MouseEvent) {
        if (state.timer !== undefined && state.wasLong) event.preventDefault();
      },
    },
  };
}
