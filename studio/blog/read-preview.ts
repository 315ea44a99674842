import { VitrineError } from "../../client/src/index.ts";
import type { Draft } from "./draft.ts";

/** What the page of the post shows. */
type Written = Pick<Draft, "kind" | "title" | "content" | "tags" | "coverID"> & { id: number | null };

export const writtenOf = (id: number | null, { kind, title, content, tags, coverID }: Draft): Written => ({
  id,
  kind,
  title,
  content,
  tags,
  coverID,
});

/** The page of the site with the post as it is written now. It is a page, so it is no request of the API. */
export async function readPreview(written: Written, signal: AbortSignal): Promise<string> {
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(written) };
  const response = await fetch("/studio/preview", { ...request, signal }).catch((error: unknown) => {
    throw new VitrineError("The server cannot be reached.", { code: "network", cause: error });
  });
  if (!response.ok) throw new VitrineError(response.statusText, { status: response.status });
  return response.text();
}
