import { findIDBySlug } from "../../../content/blog/slugs.ts";
import { missing } from "../../../platform/errors.ts";
import { findPostSummaries } from "../../../content/blog/summaries.ts";
import { withTimeout } from "../../../core/images/read.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { hashOfText } from "../../../platform/hash.ts";
import type { Content } from "../../../platform/http/content.ts";
import type { Route } from "../../../platform/http/route.ts";
import type { Decoder } from "../../../platform/images/decoder.ts";
import type { Drawing } from "../../../platform/images/draw.ts";
import { UnreadableImage } from "../../../platform/images/unreadable.ts";
import { createShared } from "../../../platform/once.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { redirect } from "../page.ts";
import type { Renderer } from "../render.ts";
import { cardPath, cardSize } from "./card-image.ts";
import { coloursOf } from "../../themes/colours.ts";
import { placeMark } from "./mark.ts";
import { webRoute } from "./web-route.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const maxTitle = 140;
const maxKept = 100;

/** The picture that social networks show for a post without a cover: its title, in the colours of the theme. */
export function cardRoutes(db: Reader, decoder: Decoder, renderer: Renderer): Route[] {
  const once = createShared<Bytes>();
  const kept = new Map<string, Bytes>();
  return [
    webRoute(renderer, {
      path: "/blog/:slug/card.png",
      contentType: "image/png",
      limit: "media",
      async handle({ params, settings }) {
        const slug = (params.slug ?? "").normalize("NFC");
        const id = await findIDBySlug(db, slug);
        const post = id === null ? undefined : (await findPostSummaries(db, null, [id])).get(id);
        if (!post) throw missing("such post");
        if (post.slug !== slug) return redirect(cardPath(post.slug), 308);
        return contentOf(drawCard(post.title, settings));
      },
    }),
  ];

  function contentOf(drawing: Drawing): Content {
    const key = hashOfText(JSON.stringify(drawing)).slice(0, 32);
    return {
      headers: { "Content-Type": "image/png", "Cache-Control": "no-cache" },
      etag: `"${key}"`,
      async open() {
        const bytes = kept.get(key) ?? (await withTimeout(once(key, () => draw(key, drawing))));
        return { bytes, length: bytes.length };
      },
    };
  }

  async function draw(key: string, drawing: Drawing): Promise<Bytes> {
    const { bytes } = await decoder.draw(drawing).catch((error: unknown) => {
      throw error instanceof UnreadableImage ? missing(`picture: ${error.message}`) : error;
    });
    kept.set(key, bytes);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return bytes;
  }
}

function drawCard(title: string, { siteName, theme }: Settings): Drawing {
  const colours = coloursOf(theme);
  const { width, height } = cardSize;
  const edge = { left: 0, top: 0, width, height: 18, colour: colours.accent };
  const font = colours.isSerif ? "serif bold" : "sans bold";
  const side = 96;
  return {
    ...cardSize,
    background: colours.paper,
    rectangles: [edge, ...placeMark({ left: width - 80 - side, top: height - 72 - side, side }, colours)],
    withoutTexts: [edge, ...placeMark({ left: (width - 300) / 2, top: (height - 300) / 2, side: 300 }, colours)],
    texts: [
      {
        left: 80,
        top: 96,
        width: width - 160,
        height: 340,
        text: shortTitle(title),
        font,
        sizes: [88, 76, 64, 56],
        colour: colours.ink,
      },
      {
        left: 80,
        top: height - 72 - 44,
        width: width - 320,
        height: 44,
        text: siteName,
        font: "sans",
        sizes: [34, 28, 22],
        colour: colours.soft,
      },
    ],
  };
}

/** By whole characters, as people count them. */
function shortTitle(title: string): string {
  const characters = [...new Intl.Segmenter().segment(title)].map(({ segment }) => segment);
  if (characters.length <= maxTitle) return title;
  return `${characters
    .slice(0, maxTitle - 1)
    .join("")
    .trimEnd()}…`;
}
