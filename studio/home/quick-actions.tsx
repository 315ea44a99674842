import { Link, useNavigate } from "@tanstack/react-router";
import { ExternalLink, Images, NotebookPen, Upload } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useCommands } from "../lib/commands.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { photoTypes } from "../uploads/upload-button.tsx";
import { UploadMenu } from "../uploads/upload-menu.tsx";
import { choosePictures, uploadPictures } from "./choose-pictures.ts";
import { homeTexts as t } from "./texts.ts";

const AlbumDialog = lazy(() => import("../albums/album-dialog.tsx").then((part) => ({ default: part.AlbumDialog })));

const tile = classes(
  "flex min-h-14 items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 text-left font-medium",
  "hover:border-soft [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:stroke-[1.75] [&>svg]:text-accent",
);

export function QuickActions() {
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  useCommands([
    {
      label: t.writePost,
      icon: NotebookPen,
      group: t.title,
      run: () => void navigate({ to: "/blog/$id", params: { id: "new" } }),
    },
    { label: t.upload, icon: Upload, group: t.title, run: () => void choosePictures() },
    { label: words.newAlbum, icon: Images, group: t.title, run: () => setNaming(true) },
  ]);
  return (
    <section aria-label={t.actions} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Link to="/blog/$id" params={{ id: "new" }} className={tile}>
        <NotebookPen />
        {t.writePost}
      </Link>
      <UploadMenu accept={photoTypes} onFiles={uploadPictures} align="start">
        <button type="button" className={tile}>
          <Upload />
          {t.upload}
        </button>
      </UploadMenu>
      <button type="button" className={tile} onClick={() => setNaming(true)}>
        <Images />
        {words.newAlbum}
      </button>
      <a href="/" className={tile}>
        <ExternalLink />
        {words.viewSite}
      </a>
      {isNaming && (
        <Suspense>
          <AlbumDialog
            onClose={() => setNaming(false)}
            onSaved={({ id }) => void navigate({ to: "/albums/$id", params: { id: String(id) } })}
          />
        </Suspense>
      )}
    </section>
  );
}
