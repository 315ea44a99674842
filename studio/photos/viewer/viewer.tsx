import { useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Photo } from "../../../client/src/index.ts";
import { downloadPhotos } from "../../download/download.ts";
import { api } from "../../lib/api.ts";
import { useCommands } from "../../lib/commands.ts";
import { explain } from "../../lib/explain.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { showToast } from "../../lib/toasts.ts";
import { words } from "../../lib/words.ts";
import { AlbumPicker } from "../../pickers/album-picker.tsx";
import { ShareDialog } from "../../shares/share-dialog.tsx";
import { changeMany } from "../change-many.ts";
import { CropTool } from "../crop/crop-tool.tsx";
import { cropTexts } from "../crop/texts.ts";
import { PhotoDetails } from "../details/photo-details.tsx";
import { type Filters, toSearch } from "../filters.ts";
import { setLastSeen, wasOpenedFromGrid } from "../last-seen.ts";
import { patchStrips, showSaved } from "../photo-queries.ts";
import { photosTexts } from "../texts.ts";
import { replaceFile } from "./replace-file.ts";
import { Stage } from "./stage.tsx";
import { useStrip } from "./strip.ts";
import { viewerTexts as t } from "./texts.ts";
import { TopBar } from "./top-bar.tsx";

const panelKey = "studio-photo-details";

/** One photo on the whole screen, with its data beside it. */
export function Viewer({ photo, filters }: { photo: Photo; filters: Filters }) {
  const { previous, next } = useStrip(filters, photo);
  const [hasPanel, setHasPanel] = useState(() => innerWidth >= 768 && localStorage.getItem(panelKey) === "open");
  const [dialog, setDialog] = useState<"album" | "share" | null>(null);
  const [isCropping, setIsCropping] = useState(false);
  const zoom = useRef(() => {});
  const navigate = useNavigate();
  const router = useRouter();
  const search = toSearch(filters);

  const show = ({ id }: Photo) => navigate({ to: "/photos/$id", params: { id: String(id) }, search, replace: true });
  const leave = async () => {
    setLastSeen(photo);
    if (wasOpenedFromGrid()) router.history.back();
    else await navigate({ to: "/photos", search });
  };
  const go = (other: Photo) => void show(other);
  const close = () => void leave();
  const togglePanel = () => {
    localStorage.setItem(panelKey, hasPanel ? "" : "open");
    setHasPanel(!hasPanel);
  };
  const favour = () => void toggleFavourite(photo);
  const remove = () => {
    patchStrips(photo.id, null);
    const other = next ?? previous;
    // Left first: while a photo is on the screen, every change of photos makes the screen read it again.
    void (other ? show(other) : leave()).finally(() => void changeMany([photo], { trash: true }));
  };
  const canCrop = photo.kind === "image" && photo.variants.length > 0;
  const actions = [
    ...(canCrop ? [{ keys: "c", label: cropTexts.title, run: () => setIsCropping(true) }] : []),
    { keys: "i", label: words.details, run: togglePanel },
    { keys: "f", label: words.favourite, run: favour },
    { keys: "z", label: t.zoom, run: () => zoom.current() },
    { keys: "s", label: t.share, run: () => setDialog("share") },
    { keys: "l", label: words.addToAlbum, run: () => setDialog("album") },
    { keys: "d", label: t.download, run: () => void downloadPhotos([photo.id]) },
    { keys: "delete", label: words.delete, run: remove },
  ];
  const shortcuts = [
    { keys: "arrowright", label: t.next, run: () => next && go(next) },
    { keys: "arrowleft", label: t.previous, run: () => previous && go(previous) },
    { keys: "escape", label: t.back, run: close },
    ...actions,
  ];
  // The crop tool has its own keys.
  useShortcuts(isCropping ? [] : shortcuts);
  useCommands(isCropping ? [] : actions.map((action) => ({ ...action, group: t.photo })));

  if (isCropping)
    return (
      <Overlay>
        <CropTool photo={photo} onClose={() => setIsCropping(false)} />
      </Overlay>
    );

  return (
    <Overlay>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TopBar
          photo={photo}
          hasPanel={hasPanel}
          onClose={close}
          onFavourite={favour}
          onPanel={togglePanel}
          onZoom={() => zoom.current()}
          onShare={() => setDialog("share")}
          onCrop={canCrop ? () => setIsCropping(true) : null}
          onAlbum={() => setDialog("album")}
          onReplace={() => void replaceFile(photo)}
          onDelete={remove}
        />
        <Stage photo={photo} previous={previous} next={next} onGo={go} onClose={close} zoom={zoom} />
      </div>
      {hasPanel && <PhotoDetails key={photo.id} photo={photo} onClose={togglePanel} />}
      {dialog === "share" && (
        <ShareDialog kind="photo" id={photo.id} title={photo.title} onClose={() => setDialog(null)} />
      )}
      {dialog === "album" && (
        <AlbumPicker
          title={words.addToAlbum}
          canCreate
          onPick={({ id, name }) =>
            void changeMany([photo], { albumID: id }, { text: (count) => photosTexts.addedTo(count, name) })
          }
          onClose={() => setDialog(null)}
        />
      )}
    </Overlay>
  );
}

/** Above everything but the messages. What is behind it cannot be reached. */
export function Overlay({ children }: { children: ReactNode }) {
  useEffect(() => {
    const behind = [...document.querySelectorAll<HTMLElement>("nav")];
    for (const element of behind) element.inert = true;
    document.documentElement.style.overflow = "hidden";
    return () => {
      for (const element of behind) element.inert = false;
      document.documentElement.style.removeProperty("overflow");
    };
  }, []);
  return <div className="fixed inset-0 z-40 flex bg-black text-white max-md:flex-col">{children}</div>;
}

async function toggleFavourite(photo: Photo): Promise<void> {
  const isFavourite = !photo.isFavourite;
  showSaved({ ...photo, isFavourite });
  try {
    showSaved(await api.changePhoto({ id: photo.id, isFavourite }));
  } catch (error) {
    showSaved(photo);
    showToast({ text: explain(error), isFailure: true, retry: () => void toggleFavourite(photo) });
  }
}
