import { useRef } from "react";
import type { Settings } from "../../client/src/index.ts";
import { useWidth } from "../lib/use-width.ts";
import { settingsTexts as t } from "./texts.ts";

const ratio = 10 / 16;

/** What the preview shows, though it may not be saved; "" for none. */
export type Look = Record<"accentColour" | "logoPhotoID" | "coverPhotoID", string>;

/** The front page in a theme, made smaller. It is only to be looked at. */
export function ThemePreview({ theme, look }: { theme: Settings["theme"]; look: Look }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  // As on a laptop, or as on a tablet where there is little room.
  const pageWidth = width > 480 ? 1280 : 760;
  return (
    <div
      ref={box}
      className="relative overflow-hidden rounded-control border border-line bg-tint"
      style={{ height: width * ratio }}
    >
      {width > 0 && (
        <iframe
          src={`/studio/preview/${theme}?${new URLSearchParams(look)}`}
          title={t.preview(t.themes[theme].label)}
          loading="lazy"
          sandbox=""
          inert
          tabIndex={-1}
          className="absolute top-0 left-0 origin-top-left"
          style={{ width: pageWidth, height: pageWidth * ratio, transform: `scale(${width / pageWidth})` }}
        />
      )}
    </div>
  );
}
