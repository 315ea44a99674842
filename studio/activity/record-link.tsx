import { Link } from "@tanstack/react-router";
import type { Activity } from "../../client/src/index.ts";
import { findKind } from "../lib/kinds.ts";
import { goneAfter, linkToRecord } from "../lib/links.ts";
import { activityTexts as t } from "./texts.ts";

/** The name of the record, which leads to it if it still exists and has a screen of its own. */
export function RecordLink({ entry }: { entry: Activity }) {
  const { kind, recordID, name, action } = entry;
  const nouns: Record<string, string> = t.nouns;
  const noun = findKind(entry)?.object ?? nouns[kind] ?? kind;
  const text = name ? `${noun} ${t.quote(name)}` : noun;
  const linkClass = "underline decoration-line underline-offset-2 hover:decoration-current";
  if (kind === "settings") return <Link to="/settings" className={linkClass} children={noun} />;
  if (kind === "redirect" && !goneAfter.has(action))
    return <Link to="/settings/redirects" className={linkClass} children={text} />;
  const link = goneAfter.has(action) ? null : linkToRecord(kind, recordID);
  return link ? <Link {...link} className={linkClass} children={text} /> : <>{text}</>;
}
