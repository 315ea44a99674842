import { Link } from "@tanstack/react-router";
import { CornerDownRight, ExternalLink, Pencil, Trash2 } from "lucide-react";
import type { Redirect } from "../../client/src/index.ts";
import { findKind } from "../lib/kinds.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { MoreMenu } from "../ui/menu.tsx";
import { redirectTexts as t } from "./texts.ts";

type Props = {
  redirect: Redirect;
  isSelected: boolean;
  onSelect: (isRange: boolean) => void;
  onChange: () => void;
  onRemove: () => void;
};

/** One old address: where it leads, and what can be done with it. */
export function RedirectLine({ redirect, isSelected, onSelect, onChange, onRemove }: Props) {
  const { from } = redirect;
  return (
    <li className={classes("flex items-start gap-3 py-2.5 pr-1.5 pl-3 sm:pl-4", isSelected && "bg-tint")}>
      <input
        type="checkbox"
        aria-label={words.select(from)}
        checked={isSelected}
        onClick={(event) => onSelect(event.shiftKey)}
        onChange={() => {}}
        className="mt-1 size-5 shrink-0 accent-accent pointer-coarse:size-6"
      />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere" dir="auto">
          {from}
        </p>
        <p className="flex items-start gap-1.5 text-sm text-soft">
          <CornerDownRight aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <Target redirect={redirect} />
        </p>
      </div>
      <MoreMenu
        label={words.actionsFor(from)}
        items={[
          { label: t.open, icon: <ExternalLink />, run: () => window.open(encodeURI(from), "_blank", "noopener") },
          { label: words.change, icon: <Pencil />, run: onChange },
          null,
          { label: words.remove, icon: <Trash2 />, isDanger: true, run: onRemove },
        ]}
      />
    </li>
  );
}

function Target({ redirect: { to, title, kind, importID } }: { redirect: Redirect }) {
  if (to === null) return <span className="text-danger">{t.nowhere}</span>;
  const path = decodePath(to);
  const isPage = kind === "post" && !to.startsWith("/blog/");
  const about = [kind === "tag" ? words.tag : findKind({ kind, isPage })?.one, title ? path : null].filter(Boolean);
  return (
    <span className="min-w-0 wrap-anywhere">
      <a href={to} target="_blank" rel="noopener" className="text-accent underline underline-offset-2" dir="auto">
        {title || path}
      </a>
      {about.length > 0 && ` · ${about.join(" · ")}`}
      {importID !== null && (
        <>
          {" · "}
          <Link to="/move-in/$id" params={{ id: String(importID) }} className="underline underline-offset-2">
            {t.imported}
          </Link>
        </>
      )}
    </span>
  );
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
