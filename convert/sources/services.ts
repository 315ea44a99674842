import type { TreeFile } from "../../src/platform/archives/tree.ts";

type Service = {
  title: string;
  /** Each has one of these, at its top or in its only folder. */
  names: RegExp[][];
};

/** Exports that are known by the names in them, and cannot be imported. */
const services: Service[] = [
  { title: "X (Twitter)", names: [[/^data\/tweets?(-part\d+)?\.js$/], [/^data\/js\/tweet_index\.js$/]] },
  {
    title: "Telegram",
    names: [
      [/^export_results\.html$/],
      [/^result\.json$/, /^chats\/chat_\d+\//],
      [/^result\.json$/, /^(photos\/photo_\d+@[\d_-]+\.jpg|voice_messages\/|round_video_messages\/)/],
      [/^messages\.html$/, /^js\/script\.js$/],
    ],
  },
  { title: "Tumblr", names: [[/^payload-0\.json$/]] },
  {
    title: "Snapchat",
    names: [[/^(json|html)\/memories_history\.(json|html)$/], [/^memories\/\d{4}-\d\d-\d\d_[\da-f-]{36}-main\.\w+$/i]],
  },
  { title: "TikTok", names: [[/^user_data_tiktok\.json$/]] },
  { title: "LinkedIn", names: [[/^Connections\.csv$/, /^Profile\.csv$/]] },
  { title: "Discord", names: [[/^messages\/index\.json$/i, /^servers\/index\.json$/i]] },
  { title: "Reddit", names: [[/^subscribed_subreddits\.csv$/]] },
  { title: "Spotify", names: [[/^([^/]+\/)?StreamingHistory(_music_|_podcast_)?\d+\.json$/]] },
  { title: "Mastodon", names: [[/^actor\.json$/, /^outbox\.json$/]] },
  { title: "WhatsApp", names: [[/^_chat\.txt$/], [/^WhatsApp Chat with [^/]+\.txt$/]] },
  { title: "Medium", names: [[/^profile\/profile\.html$/, /^posts\/[^/]+\.html$/]] },
  { title: "Google without Google Photos", names: [[/^(takeout\/)?archive_browser\.html$/i], [/^takeout\/[^/]+\//i]] },
];

/** Which of them the tree with these files is; null if it is none. */
export function findService(files: TreeFile[]): string | null {
  const paths = new Set(files.flatMap(({ path }) => (path.length <= deepest ? [path.join("/")] : [])));
  const [top = ""] = files[0]?.path ?? [];
  const isAlone = files.every(({ path }) => path.length > 1 && path[0] === top);
  const below = isAlone ? [...paths].map((path) => path.slice(top.length + 1)) : [];
  const all = [...paths, ...below];
  const found = services.find(({ names }) =>
    names.some((each) => each.every((name) => all.some((one) => name.test(one)))),
  );
  return found?.title ?? null;
}

const deepest = 5;

export const describeService = (title: string): string =>
  `It is an export of ${title}, which cannot be imported here, so nothing was stored. If you want it as a folder of files all the same, say so: --as-folder, or asFolder in the API.`;
