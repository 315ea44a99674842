/** @jsxImportSource hono/jsx */
import type { TargetID } from "../../../content/comments/target.ts";
import { countHearts, isGiven } from "../../../features/hearts/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { printCount } from "../formats.ts";
import type { Visit } from "../page.ts";
import { heartTexts } from "../texts/hearts.ts";

/** The hearts of a page. The pages of guests are the same for all: `isTheirs` then says what the address says. */
type Hearts = { target: TargetID; count: number; isTheirs: boolean };

/** Null if the site has none. `given` is the parameter of the address to which a guest's heart leads. */
export async function readHearts(
  db: Reader,
  { viewer, settings, links }: Visit,
  target: TargetID,
  given: string | undefined,
): Promise<Hearts | null> {
  if (!settings.hearts || links.prefix !== "") return null;
  const [count, isTheirs] = await Promise.all([
    countHearts(db, target),
    viewer ? isGiven(db, target, `user:${viewer.id}`) : given !== undefined,
  ]);
  return { target, count, isTheirs };
}

const parts = { post: "blog", photo: "photos", album: "albums" } as const;

type Props = { visit: Visit; hearts: Hearts | null; path: string };

/** A button that works without script; with it, the page stays where it is (`browser/hearts.ts`). */
export function Heart({ visit: { viewer, language, isCopy }, hearts, path }: Props) {
  if (!hearts) return null;
  const { target, count, isTheirs } = hearts;
  const t = heartTexts[language];
  if (isCopy) return count === 0 ? null : <HeartCount name={t.heart} count={printCount(count, language)} />;
  return (
    <form
      class="heart"
      id="heart"
      method="post"
      action={`${path}/heart`}
      data-heart={`/api/v1/${parts[target.kind]}/${target.id}/heart`}
      data-guest={viewer ? undefined : true}
    >
      <button
        class="button quiet"
        type="submit"
        name="action"
        value={isTheirs ? "take" : "give"}
        aria-pressed={isTheirs ? "true" : "false"}
      >
        <HeartIcon />
        <span class="visually-hidden">{t.heart}</span>
        <span data-count>{count === 0 ? "" : printCount(count, language)}</span>
      </button>
      {isTheirs && !viewer ? <small class="quiet">{t.thanks}</small> : null}
    </form>
  );
}

/** Where hearts cannot be given. */
const HeartCount = ({ name, count }: { name: string; count: string }) => (
  <p class="heart meta">
    <HeartIcon />
    <span class="visually-hidden">{name}</span> <span>{count}</span>
  </p>
);

const HeartIcon = () => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <path d="M12 20.3 4.6 13a4.9 4.9 0 0 1 0-7 4.9 4.9 0 0 1 7 0l.4.5.4-.5a4.9 4.9 0 0 1 7 7z" />
  </svg>
);
