import { findFeedTexts } from "../../../content/blog/feed-texts.ts";
import { findPostSummaries, type PostSummary } from "../../../content/blog/summaries.ts";
import { toHeaderLine } from "../../../core/mail/outbox.ts";
import { readSettings } from "../../../core/settings/store.ts";
import type { Compose, Composed } from "../../../features/newsletter/sender.ts";
import type { Database } from "../../../platform/database/database.ts";
import { html } from "../../../platform/markup.ts";
import { findAuthors, shownName } from "../author.tsx";
import { printDay } from "../day.tsx";
import { cardOfPhoto } from "../for-programs/card-image.ts";
import { languageFor } from "../language.ts";
import { createLinks } from "../links.ts";
import { nameOf } from "../photo-name.ts";
import { newsletterTexts } from "../texts/newsletter.ts";
import { printMail } from "./mail-html.ts";
import { toPlainText } from "./plain-text.ts";

/** Mail programs cut off what is longer. Of such a post, the mail has only the beginning. */
const maxHTML = 80_000;

/** The mails of posts, as everyone sees these. */
export function createComposer(db: Database, origin: string): Compose {
  const links = createLinks();
  let last: { postID: number; generation: number; composed: Composed | null } | null = null;

  return async (postID) => {
    // The same while nothing was written that could be in it.
    if (last?.postID === postID && db.lastWrite(watched) <= last.generation) return last.composed;
    const generation = db.generation();
    const post = (await findPostSummaries(db, null, [postID])).get(postID);
    const composed = post && post.kind === "post" ? await compose(post) : null;
    last = { postID, generation, composed };
    return composed;
  };

  async function compose(post: PostSummary): Promise<Composed> {
    const settings = await readSettings(db, {});
    const language = languageFor(settings.language);
    const t = newsletterTexts[language].mail;
    const url = origin + links.post(post);
    const [texts, authors] = await Promise.all([
      findFeedTexts(db, [post], { origin, nameOf: (photo) => nameOf(photo, language), addressOf: () => url }),
      findAuthors(db, [post]),
    ]);
    const author = authors.get(post.ownerID);
    const day = post.publishedAt ? printDay(post.publishedAt, language) : "";
    const byline = author ? t.by(shownName(author), day) : day;
    const whole = texts.get(post.id);
    const content = whole !== undefined && whole.length <= maxHTML ? whole : html`<p>${post.excerpt}</p>`.toString();
    const hero = cardOfPhoto({ origin, language }, post.cover);
    const print = printMail({ settings, language, origin, title: post.title, url, byline, hero, content });
    const text = [post.title, byline, toPlainText(content), `${t.read}: ${url}`].join("\n\n");
    const subject = toHeaderLine(post.title);
    return {
      length: text.length + print("").length,
      mailTo({ unsubscribe_token }) {
        const leaveURL = `${origin}/newsletter/unsubscribe?token=${unsubscribe_token}`;
        return {
          subject,
          text: `${text}\n\n-- \n${t.why(settings.siteName)}\n${t.leave}: ${leaveURL}\n`,
          html: print(leaveURL),
          headers: {
            "List-Id": `<newsletter.${new URL(origin).hostname}>`,
            "List-Unsubscribe": `<${leaveURL}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          },
        };
      },
    };
  }
}

const watched = [
  "posts",
  "post_html",
  "photos",
  "files",
  "albums",
  "album_photos",
  "site_settings",
  "users",
  "profiles",
];
