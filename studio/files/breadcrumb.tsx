import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { linkToDirectory } from "../lib/links.ts";
import { words } from "../lib/words.ts";
import { classes } from "../ui/classes.ts";
import { VisibilityMark } from "../ui/visibility-mark.tsx";
import { type Drops, useDropTarget } from "./drag.ts";
import { joinPath, nameOf, splitPath } from "./paths.ts";
import { fileTexts as t } from "./texts.ts";

/** Where one is. Entries can be dropped on each directory above. */
export function Breadcrumb({ path, isPrivate, drops }: { path: string; isPrivate: boolean; drops: Drops }) {
  const parts = splitPath(path);
  const above = parts.map((_, index) => joinPath("/", ...parts.slice(0, index)));
  return (
    <nav aria-label={t.path} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center">
        {above.map((one, index) => (
          <li
            key={one}
            className={classes(
              "flex min-w-0 shrink items-center",
              // On a phone, the one above is enough.
              index < above.length - 1 && "max-md:hidden",
            )}
          >
            <Crumb path={one} drops={drops} />
            <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-soft" />
          </li>
        ))}
        <li className="flex min-w-0 shrink-[0.5] items-center">
          <h1 className="truncate px-1.5 text-lg font-semibold md:text-xl" title={nameOf(path)}>
            {nameOf(path) || words.files}
          </h1>
          {path !== "/" && <VisibilityMark visibility={isPrivate ? "private" : "public"} />}
        </li>
      </ol>
    </nav>
  );
}

function Crumb({ path, drops }: { path: string; drops: Drops }) {
  const { isOver, handlers } = useDropTarget(path, drops);
  return (
    <Link
      {...linkToDirectory(path)}
      {...handlers}
      className={classes(
        "block max-w-40 truncate rounded-control px-1.5 py-1 text-soft no-underline hover:bg-tint hover:text-ink pointer-coarse:py-2.5",
        isOver && "ring-2 ring-accent",
      )}
    >
      {nameOf(path) || words.files}
    </Link>
  );
}
