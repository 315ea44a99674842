import {
  ArrowLeft,
  Crop,
  Download,
  EllipsisVertical,
  ExternalLink,
  FolderPlus,
  Heart,
  Info,
  RefreshCw,
  Share2,
  Trash2,
  ZoomIn,
} from "lucide-react";
import type { ComponentProps } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { downloadPhotos } from "../../download/download.ts";
import { words } from "../../lib/words.ts";
import { IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Menu } from "../../ui/menu.tsx";
import { cropTexts } from "../crop/texts.ts";
import { formatTaken } from "../details/dates.ts";
import { viewerTexts as t } from "./texts.ts";

type Props = {
  photo: Photo;
  hasPanel: boolean;
  onClose: () => void;
  onFavourite: () => void;
  onPanel: () => void;
  onZoom: () => void;
  onShare: () => void;
  /** Null if the picture cannot be edited. */
  onCrop: (() => void) | null;
  onAlbum: () => void;
  onReplace: () => void;
  onDelete: () => void;
};

export function TopBar(props: Props) {
  const { photo, hasPanel, onClose, onFavourite, onPanel, onZoom, onShare, onCrop, onAlbum, onReplace, onDelete } =
    props;
  const { isFavourite, kind, title, takenAt, takenAtZone, file, id } = photo;
  return (
    <header className="flex items-center gap-1 px-2 py-2 md:px-3">
      <BarButton label={t.back} onClick={onClose}>
        <ArrowLeft />
      </BarButton>
      <div className="min-w-0 flex-1 px-1">
        <h1 className="truncate font-medium" dir="auto">
          {title || t.photo}
        </h1>
        {takenAt && <p className="truncate text-sm text-white/75">{formatTaken({ takenAt, takenAtZone })}</p>}
      </div>
      <BarButton label={words.favourite} aria-pressed={isFavourite} onClick={onFavourite}>
        <Heart className={classes(isFavourite && "fill-current")} />
      </BarButton>
      {kind === "image" && (
        <BarButton label={t.zoom} onClick={onZoom} className="max-sm:hidden">
          <ZoomIn />
        </BarButton>
      )}
      {onCrop && (
        <BarButton label={cropTexts.title} onClick={onCrop} className="max-sm:hidden">
          <Crop />
        </BarButton>
      )}
      <BarButton label={t.share} onClick={onShare} className="max-sm:hidden">
        <Share2 />
      </BarButton>
      <BarButton label={words.details} aria-pressed={hasPanel} onClick={onPanel}>
        <Info />
      </BarButton>
      <BarButton label={words.delete} onClick={onDelete} className="max-sm:hidden">
        <Trash2 />
      </BarButton>
      <Menu
        items={[
          { label: t.share, icon: <Share2 />, keys: "s", run: onShare },
          { label: cropTexts.title, icon: <Crop />, keys: "c", isDisabled: !onCrop, run: () => onCrop?.() },
          { label: words.addToAlbum, icon: <FolderPlus />, keys: "l", run: onAlbum },
          {
            label: t.download,
            icon: <Download />,
            keys: "d",
            isDisabled: !file?.url,
            run: () => void downloadPhotos([photo.id]),
          },
          {
            label: words.viewOnSite,
            icon: <ExternalLink />,
            run: () => void window.open(`/photos/${id}`, "_blank", "noopener"),
          },
          { label: t.replace, icon: <RefreshCw />, isDisabled: !file, run: onReplace },
          null,
          { label: words.delete, icon: <Trash2 />, keys: "delete", isDanger: true, run: onDelete },
        ]}
      >
        <BarButton label={words.moreActions}>
          <EllipsisVertical />
        </BarButton>
      </Menu>
    </header>
  );
}

const BarButton = ({ className, ...rest }: ComponentProps<typeof IconButton>) => (
  <IconButton {...rest} className={classes("!text-white hover:!bg-white/15 aria-pressed:!bg-white/20", className)} />
);
