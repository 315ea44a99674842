import { Link } from "@tanstack/react-router";
import { NotebookPen, PackageOpen, Palette, Upload } from "lucide-react";
import type { ReactNode } from "react";
import { useIsAdmin } from "../lib/me.ts";
import { buttonClass } from "../ui/button.tsx";
import { photoTypes, UploadButton } from "../uploads/upload-button.tsx";
import { uploadPictures } from "./choose-pictures.ts";
import { homeTexts as t } from "./texts.ts";

/** The first steps, while there is nothing yet. */
export function Start() {
  const isAdmin = useIsAdmin();
  return (
    <section aria-labelledby="start">
      <h2 id="start" className="font-serif text-2xl font-semibold">
        {t.welcome}
      </h2>
      <p className="mt-1 mb-5 max-w-prose text-soft">{t.welcomeHint}</p>
      <ol className="grid gap-4 md:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
        <Step icon={<Upload />} title={t.upload} text={t.uploadHint}>
          <UploadButton variant="main" accept={photoTypes} label={t.choosePictures} onFiles={uploadPictures} />
        </Step>
        <Step icon={<NotebookPen />} title={t.writePost} text={t.writeHint}>
          <Link to="/blog/$id" params={{ id: "new" }} className={buttonClass()}>
            {t.write}
          </Link>
        </Step>
        <Step icon={<PackageOpen />} title={t.moveIn} text={t.moveInHint}>
          <Link to="/move-in" className={buttonClass()}>
            {t.whatComes}
          </Link>
        </Step>
        {isAdmin && (
          <Step icon={<Palette />} title={t.chooseTheme} text={t.themeHint}>
            <Link to="/settings" className={buttonClass()}>
              {t.lookAtThemes}
            </Link>
          </Step>
        )}
      </ol>
    </section>
  );
}

type Props = { icon: ReactNode; title: string; text: string; children: ReactNode };

const Step = ({ icon, title, text, children }: Props) => (
  <li className="flex flex-col items-start gap-2 rounded-card border border-line bg-surface p-5 [&>svg]:size-7 [&>svg]:stroke-[1.5] [&>svg]:text-accent">
    {icon}
    <h3 className="mt-1 font-semibold">{title}</h3>
    <p className="mb-2 flex-1 text-soft">{text}</p>
    {children}
  </li>
);
