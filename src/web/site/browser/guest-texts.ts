/** `upload` in the texts of share links. `{count}` and the like stand for numbers. */
export type GuestTexts = Record<
  | "file"
  | "drop"
  | "camera"
  | "list"
  | "remove"
  | "retry"
  | "sendOne"
  | "sendMany"
  | "retryFailed"
  | "progress"
  | "allSent"
  | "someFailed"
  | "waiting"
  | "sending"
  | "sent"
  | "paused"
  | "notPicture"
  | "tooLarge"
  | "offline"
  | "ended"
  | "full"
  | "failed",
  string
>;

export const fill = (text: string, values: Record<string, number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
