import { Link } from "@tanstack/react-router";
import type { Activity } from "../../../../client/src/index.ts";
import { activityTexts as t } from "./texts.ts";

const gone = new Set<Activity["action"]>(["trashed", "deleted", "removed"]);

/** The name of the record, which leads to it if it still exists and has a screen of its own. */
export function RecordLink({ entry: { kind, recordID, name, action } }: { entry: Activity }) {
  const nouns: Record<string, string> = t.nouns;
  const noun = nouns[kind] ?? kind;
  const text = name ? `${noun} ${t.quote(name)}` : noun;
  const params = { id: String(recordID) };
  const style = "underline decoration-line underline-offset-2 hover:decoration-current";
  if (gone.has(action)) return <>{text}</>;
  if (kind === "photo")
    return (
      <Link to="/photos/$id" params={params} className={style}>
        {text}
      </Link>
    );
  if (kind === "album")
    return (
      <Link to="/albums/$id" params={params} className={style}>
        {text}
      </Link>
    );
  if (kind === "post")
    return (
      <Link to="/blog/$id" params={params} className={style}>
        {text}
      </Link>
    );
  if (kind === "settings")
    return (
      <Link to="/settings" className={style}>
        {noun}
      </Link>
    );
  return <>{text}</>;
}
