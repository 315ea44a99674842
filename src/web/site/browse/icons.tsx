/** @jsxImportSource hono/jsx */
import { isImage, isVideo } from "../../../core/images/image.ts";

type Entry = { isDirectory: boolean; contentType: string | null };

const paths = {
  directory: "M3 7.5a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
  picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4L16 12l4 4M15.5 9.2h.01",
  video: "M4 6h11v12H4zM15 10.5l5-3v9l-5-3",
  audio: "M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0",
  text: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
};

/** The kind of an entry, for people who see it; its name is beside it. */
export const FileIcon = ({ file }: { file: Entry }) => (
  <svg class="file-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    <path d={paths[kindOf(file)]} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" />
  </svg>
);

function kindOf({ isDirectory, contentType }: Entry): keyof typeof paths {
  if (isDirectory) return "directory";
  if (isImage(contentType)) return "picture";
  if (isVideo(contentType)) return "video";
  if (contentType?.startsWith("audio/")) return "audio";
  return contentType?.startsWith("text/") || contentType === "application/pdf" ? "text" : "file";
}
