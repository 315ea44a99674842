/** @jsxImportSource hono/jsx */
import { isOwnerOrAdmin } from "../../platform/http/route.ts";
import type { Visit } from "./page.ts";
import type { SectionName } from "./sections.ts";
import { commonTexts } from "./texts/common.ts";

type Props = { visit: Visit; section: Exclude<SectionName, "files">; record: { id: number; ownerID: number } };

/** Leads to the record in the studio, for those who may change it. Not in what a share link shows. */
export function EditLink({ visit: { viewer, links, language }, section, record }: Props) {
  if (!viewer || viewer.role === "reader" || links.prefix !== "" || !isOwnerOrAdmin(viewer, record)) return null;
  return (
    <a href={`/studio/${section}/${record.id}`} rel="nofollow">
      {commonTexts[language].edit}
    </a>
  );
}
