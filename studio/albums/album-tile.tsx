import { Check, Star } from "lucide-react";
import type { PointerEvent } from "react";
import type { Photo } from "../../client/src/index.ts";
import { nameOfPhoto } from "../lib/photo-name.ts";
import { words } from "../lib/words.ts";
import { Thumb } from "../pickers/thumb.tsx";
import { classes } from "../ui/classes.ts";
import { iconOf } from "../ui/visibility-mark.tsx";
import { albumTexts as t } from "./texts.ts";

type Props = {
  /** Not known until its page is loaded. */
  photo: Photo | undefined;
  position: number;
  isCurrent: boolean;
  isSelected: boolean;
  isCover: boolean;
  /** Whether it is the one that is being moved. */
  isMoved: boolean;
  box: { top: number; left: number; side: number };
  onPress: (event: PointerEvent) => void;
  onToggle: (isRange: boolean) => void;
  onOpen: () => void;
};

export function AlbumTile(props: Props) {
  const { photo, position, isCurrent, isSelected, isCover, isMoved, box, onPress, onToggle, onOpen } = props;
  const Visibility = photo && iconOf(photo.visibility);
  return (
    <div
      role="option"
      aria-selected={isSelected}
      aria-label={[
        (photo && nameOfPhoto(photo)) || words.untitledPhoto,
        isCover && t.isCover,
        photo && words[photo.visibility],
      ]
        .filter(Boolean)
        .join(", ")}
      title={photo && nameOfPhoto(photo)}
      data-position={position}
      tabIndex={isCurrent ? 0 : -1}
      onPointerDown={onPress}
      onClick={(event) => (event.shiftKey || event.ctrlKey || event.metaKey ? onToggle(event.shiftKey) : onOpen())}
      className={classes(
        "group absolute cursor-grab rounded-control",
        isMoved && "opacity-40 outline-3 outline-offset-1 outline-accent",
      )}
      style={{ top: box.top, left: box.left, width: box.side, height: box.side }}
    >
      <Thumb photo={photo ?? null} width={box.side} isChosen={isSelected} className="size-full rounded-control" />
      {isCover && (
        <Star className="absolute bottom-1.5 left-1.5 size-6 rounded-full bg-black/60 fill-white p-1 text-white" />
      )}
      {Visibility && (
        <Visibility className="pointer-events-none absolute top-1.5 right-1.5 size-5 rounded-full bg-black/55 p-1 text-white" />
      )}
      {/* With the keyboard, `x` does the same. */}
      <span
        aria-hidden="true"
        data-part="select"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(event.shiftKey);
        }}
        className="absolute top-0 left-0 grid size-10 cursor-pointer place-items-center"
      >
        <span
          className={classes(
            "grid size-6 place-items-center rounded-full border",
            isSelected
              ? "border-accent bg-accent text-on-accent"
              : "border-white bg-black/35 opacity-0 group-hover:opacity-100 group-focus:opacity-100 pointer-coarse:opacity-100",
          )}
        >
          {isSelected && <Check className="size-4" />}
        </span>
      </span>
    </div>
  );
}
