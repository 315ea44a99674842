import {
  File as FileIcon,
  FileArchive,
  FileAudio,
  FileCode,
  FileImage,
  FileText,
  FileVideo,
  Folder,
  type LucideIcon,
} from "lucide-react";
import type { File } from "../../client/src/index.ts";
import { classes } from "../ui/classes.ts";
import { fileTexts as t } from "./texts.ts";

type Kind = "folder" | "image" | "video" | "audio" | "pdf" | "markdown" | "text" | "archive" | "other";

const readable = /^text\/|[/+](json|xml|yaml|toml|javascript|typescript|x-sh|sql)$/;
const sources =
  /\.(ts|tsx|js|jsx|mjs|py|rb|go|rs|c|h|cpp|java|sh|sql|css|html?|json|ya?ml|toml|xml|ini|conf|log|csv)$/i;

/** What a file is for a person, and how it is shown. */
export function kindOf({ isDirectory, contentType, name }: File): Kind {
  const type = contentType ?? "";
  if (isDirectory) return "folder";
  if (/\.(md|markdown)$/i.test(name) || type === "text/markdown") return "markdown";
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("video/")) return "video";
  if (type.startsWith("audio/")) return "audio";
  if (type === "application/pdf") return "pdf";
  if (readable.test(type) || sources.test(name)) return "text";
  return /zip|tar|gzip|x-7z|x-xz|x-bzip|rar/.test(type) ? "archive" : "other";
}

const icons: Record<Kind, LucideIcon> = {
  folder: Folder,
  image: FileImage,
  video: FileVideo,
  audio: FileAudio,
  pdf: FileText,
  markdown: FileText,
  text: FileCode,
  archive: FileArchive,
  other: FileIcon,
};

/** Such as “PDF” or “JPEG picture”. */
export function describeKind(file: File): string {
  const kind = kindOf(file);
  const extension = /\.(\w{1,8})$/.exec(file.name)?.[1]?.toUpperCase();
  if (kind === "folder" || kind === "markdown" || kind === "pdf") return t.kinds[kind];
  return extension ? `${extension} · ${t.kinds[kind]}` : t.kinds[kind];
}

export function KindIcon({ file, className }: { file: File; className?: string }) {
  const kind = kindOf(file);
  const Icon = icons[kind];
  return (
    <Icon
      aria-hidden="true"
      className={classes("shrink-0", kind === "folder" ? "fill-tint text-accent" : "text-soft", className)}
    />
  );
}
