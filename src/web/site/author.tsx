/** @jsxImportSource hono/jsx */
import type { ProfileLink, PublicPerson } from "../../features/profiles/profile.ts";
import { findPeople } from "../../features/profiles/store.ts";
import type { Reader } from "../../platform/database/database.ts";
import type { Links } from "./links.ts";

/** Who owns records, by the ids of the owners. */
export type Authors = ReadonlyMap<number, PublicPerson>;

export const findAuthors = (db: Reader, records: { ownerID: number }[]): Promise<Authors> =>
  findPeople(
    db,
    records.map(({ ownerID }) => ownerID),
  );

export const shownName = ({ displayName, username }: Pick<PublicPerson, "displayName" | "username">): string =>
  displayName ?? username;

/** Programs find in it who has made the thing around it. */
export const AuthorLink = ({ author, links, rel }: { author: PublicPerson; links: Links; rel?: "author" }) => (
  <a class="p-author h-card" rel={rel} href={links.person(author.username)} dir="auto">
    {shownName(author)}
  </a>
);

/** Where else a person can be found. */
export function ProfileLinks({ of: { links } }: { of: PublicPerson }) {
  if (links.length === 0) return null;
  return (
    <ul class="profile-links">
      {links.map((link) => (
        <li>
          <a href={link.url} rel="me noopener" dir="auto">
            {labelOf(link)}
          </a>
        </li>
      ))}
    </ul>
  );
}

function labelOf({ url, label }: ProfileLink): string {
  if (label) return label;
  const { protocol, host, pathname } = new URL(url);
  return protocol === "mailto:" ? pathname : host.replace(/^www\./, "");
}
