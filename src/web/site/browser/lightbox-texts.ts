/** `lightbox` in the texts of photos. */
export type LightboxTexts = Record<
  | "name"
  | "close"
  | "zoom"
  | "previous"
  | "next"
  | "failed"
  | "page"
  | "download"
  | "copy"
  | "copied"
  | "notCopied"
  | "play"
  | "pause",
  string
>;
