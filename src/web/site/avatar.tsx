/** @jsxImportSource hono/jsx */
import type { PublicPerson } from "../../features/profiles/profile.ts";
import type { Links } from "./links.ts";

type AvatarProps = {
  person: Pick<PublicPerson, "username"> & Partial<PublicPerson>;
  links: Links;
  /** How large it is shown, in pixels. */
  size?: number;
  /** Where it is the picture of the thing around it, for programs. */
  property?: "u-photo";
};

/** Stands for a person beside their name: the portrait, or the first letters of the name. */
export function Avatar({ person, links, size = 44, property }: AvatarProps) {
  const variants = (person.portrait?.variants ?? []).slice(0, 2);
  const [first] = variants;
  if (!first)
    return (
      <span class="avatar" aria-hidden="true">
        {initialsOf(person)}
      </span>
    );
  // It is cut to a square: the shorter side has to be large enough.
  const sizes = `${Math.ceil((size * Math.max(first.width, first.height)) / Math.min(first.width, first.height))}px`;
  return (
    <img
      class={property ? `avatar ${property}` : "avatar"}
      src={links.api(first.url)}
      srcset={variants.map(({ url, width }) => `${links.api(url)} ${width}w`).join(", ")}
      sizes={sizes}
      width={size}
      height={size}
      alt=""
      decoding="async"
    />
  );
}

/** `Ada Lovelace` → `AL`. A username has one letter. */
function initialsOf({ displayName, username }: AvatarProps["person"]): string {
  const words = displayName?.trim().split(/\s+/) ?? [username];
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word = "") => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase()).join("");
}
