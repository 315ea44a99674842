import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { NewsletterPost } from "../../client/src/index.ts";
import { Result } from "../ui/screen.tsx";
import { sentPostsQuery } from "./query.ts";
import { newsletterTexts as t } from "./texts.ts";

/** Which posts were sent, and to how many. */
export function SentPosts() {
  const sent = useQuery(sentPostsQuery);
  return (
    <section className="mt-8">
      <h2 className="mb-2 text-lg font-semibold">{t.sent}</h2>
      <Result of={sent}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-soft">{t.noneSent}</p>
          ) : (
            <ul className="divide-y divide-line rounded-card border border-line bg-surface">
              {items.map((post) => (
                <li key={post.postID} className="px-3 py-2.5 sm:px-4">
                  <Link
                    to="/blog/$id"
                    params={{ id: String(post.postID) }}
                    className="font-medium wrap-anywhere"
                    dir="auto"
                  >
                    {post.title}
                  </Link>
                  <p className="text-sm text-soft">{describeIssue(post)}</p>
                </li>
              ))}
            </ul>
          )
        }
      </Result>
    </section>
  );
}

/** Its state, and the numbers that are not zero. */
export const describeIssue = ({ state, sent, failed, waiting }: NewsletterPost): string =>
  [
    t.issueStates[state],
    ...(sent > 0 ? [t.sentTo(sent)] : []),
    ...(waiting > 0 ? [t.left(waiting)] : []),
    ...(failed > 0 ? [t.failed(failed)] : []),
  ].join(" · ");
