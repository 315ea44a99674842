/** @jsxImportSource hono/jsx */
import type { PostSummary } from "../../../content/blog/summaries.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import { AuthorLink, type Authors } from "../author.tsx";
import { Day } from "../day.tsx";
import type { Visit } from "../page.ts";
import { Picture } from "../photos/picture.tsx";
import { blogTexts } from "../texts/blog.ts";

type CardsProps = {
  posts: PostSummary[];
  visit: Visit;
  authors: Authors;
  /** The level of the titles. */
  heading?: "h2" | "h3";
  /** Whether the first cover is what a visitor sees first on the page. */
  isFirst?: boolean;
};

export function PostCards({ posts, visit, authors, heading = "h2", isFirst = false }: CardsProps) {
  const firstCover = isFirst ? posts.find(({ cover }) => cover) : undefined;
  return (
    <div class="cards posts h-feed" data-list>
      {posts.map((post) => (
        <PostCard
          post={post}
          visit={visit}
          author={authors.get(post.ownerID)}
          heading={heading}
          isFirst={post === firstCover}
        />
      ))}
    </div>
  );
}

type CardProps = {
  post: PostSummary;
  visit: Visit;
  author: PublicPerson | undefined;
  heading: "h2" | "h3";
  isFirst: boolean;
  /** How wide the cover is shown. */
  sizes?: string;
};

function PostCard({ post, visit, author, heading: Heading, isFirst, sizes = cardSizes }: CardProps) {
  const { links, language, settings } = visit;
  const t = blogTexts[language];
  const [tag] = post.tags;
  return (
    <article class="card h-entry">
      {post.cover ? (
        <a class="card-picture" href={links.post(post)} tabindex={-1} aria-hidden="true">
          <Picture photo={post.cover} links={links} language={language} sizes={sizes} isFirst={isFirst} />
        </a>
      ) : null}
      <div class="card-text">
        {tag === undefined ? null : (
          <p class="eyebrow">
            <a class="p-category" href={links.tag(tag)} dir="auto">
              {tag}
            </a>
          </p>
        )}
        <Heading dir="auto" lang={settings.language}>
          <a class="p-name u-url" href={links.post(post)}>
            {post.title}
          </a>
        </Heading>
        {post.excerpt === "" ? null : (
          <p class="excerpt p-summary" dir="auto" lang={settings.language}>
            {post.excerpt}
          </p>
        )}
        <p class="meta">
          {author ? <AuthorLink author={author} links={links} /> : null}
          {post.publishedAt ? <Day time={post.publishedAt} language={language} property="dt-published" /> : null}
          <span>{t.readingTime(post.minutes)}</span>
        </p>
      </div>
    </article>
  );
}

/** The newest post, large. */
export function LeadPost({ post, visit, author, isFirst }: Pick<CardProps, "post" | "visit" | "author" | "isFirst">) {
  return (
    <div class={post.cover ? "lead-post" : "lead-post has-no-cover"}>
      <PostCard
        post={post}
        visit={visit}
        author={author}
        heading="h2"
        sizes="(min-width: 50rem) 45rem, 88vw"
        isFirst={isFirst}
      />
    </div>
  );
}

/** One line for each post: its day and its title. */
export function PostLines({ posts, visit: { links, language, settings } }: Pick<CardsProps, "posts" | "visit">) {
  return (
    <ul class="post-lines">
      {posts.map((post) => (
        <li>
          {post.publishedAt ? <Day time={post.publishedAt} language={language} /> : null}
          <a href={links.post(post)} dir="auto" lang={settings.language}>
            {post.title}
          </a>
        </li>
      ))}
    </ul>
  );
}

const cardSizes = "(min-width: 40em) 25rem, 100vw";
