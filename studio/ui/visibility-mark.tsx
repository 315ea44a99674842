import { Globe, Lock } from "lucide-react";
import type { Visibility } from "../lib/default-visibility.ts";
import { translate } from "../lib/language.ts";
import { words } from "../lib/words.ts";
import { classes } from "./classes.ts";

export const visibilityTexts = translate({
  en: {
    byFolder: "Private because of its folder",
    untilPublished: "Private until it is published",
  },
  de: {
    byFolder: "Privat wegen des Ordners",
    untilPublished: "Privat, bis er veröffentlicht ist",
  },
});

type Props = {
  visibility: Visibility;
  /** Why it is so, if not by its own setting. */
  label?: string | undefined;
  className?: string;
};

/** Who sees something: a globe for everyone, a lock for its owner and admins. */
export function VisibilityMark({ visibility, label = words[visibility], className }: Props) {
  const Icon = iconOf(visibility);
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex shrink-0">
      <Icon
        aria-hidden="true"
        className={classes("size-3.5", visibility === "private" ? "text-ink" : "text-soft", className)}
      />
    </span>
  );
}

export const iconOf = (visibility: Visibility) => (visibility === "private" ? Lock : Globe);
