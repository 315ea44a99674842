/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import { isHidden } from "../../../content/blog/post.ts";
import type { PostPage } from "../../../content/blog/post-page.ts";
import type { PostLink } from "../../../content/blog/rows.ts";
import { findNeighbours } from "../../../content/blog/store.ts";
import type { Reader } from "../../../platform/database/database.ts";
import { fillMarks, type Heading } from "../../../platform/markdown/page-html.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import { type Topic, isWhole, readDiscussion, type DiscussionState } from "../comments/discussion.ts";
import { CommentSection } from "../comments/section.tsx";
import { AuthorLink, findAuthors, ProfileLinks } from "../author.tsx";
import { Avatar } from "../avatar.tsx";
import { Day, printTime } from "../day.tsx";
import { EditLink } from "../edit-link.tsx";
import { Heart, readHearts } from "../hearts/heart.tsx";
import type { Links } from "../links.ts";
import { SubscribeSection } from "../newsletter/form.tsx";
import type { View, Visit } from "../page.ts";
import { Picture } from "../photos/picture.tsx";
import { blogTexts } from "../texts/blog.ts";
import { pageHead, postHead } from "../for-programs/head.tsx";

/** Posts with at least this many headings have a table of contents. */
const minHeadings = 3;

export const topicOfPost = (links: Links, post: PostPage): Topic => ({
  target: { kind: "post", id: post.id, ownerID: post.ownerID },
  path: links.post(post),
  isOpen: post.commentsOpen,
});

/** The page of a post that the visitor may see. */
export async function viewPost(db: Reader, visit: Visit, post: PostPage, shown: DiscussionState = {}): Promise<View> {
  const { viewer, links } = visit;
  const isPublic = !isHidden(post);
  if (post.kind === "page") return viewPage(visit, post);
  const about = topicOfPost(links, post);
  const [authors, neighbours, discussion, hearts] = await Promise.all([
    findAuthors(db, [post]),
    isPublic ? findNeighbours(db, post) : { previous: null, next: null },
    readDiscussion(db, viewer, about.target, shown),
    isPublic ? readHearts(db, visit, about.target, shown.heart) : null,
  ]);
  const author = authors.get(post.ownerID);
  return {
    title: post.title,
    description: post.excerpt,
    section: "blog",
    isPost: true,
    takesMentions: isPublic && post.commentsOpen,
    canonical: isPublic && isWhole(shown) ? links.post(post) : null,
    head: postHead(visit, post, author ?? null),
    ...(shown.status && { status: shown.status }),
    body: (
      <>
        <Article visit={visit} post={post} author={author} />
        {hearts ? (
          <div class="column">
            <Heart visit={visit} hearts={hearts} path={about.path} />
          </div>
        ) : null}
        {isPublic ? <SubscribeSection visit={visit} /> : null}
        <Neighbours visit={visit} {...neighbours} />
        {links.prefix === "" && (isPublic || discussion.count > 0) ? (
          <CommentSection visit={visit} about={about} discussion={discussion} />
        ) : null}
      </>
    ),
  };
}

/** Outside the blog there is only the text: no author, no day, no tags, no other posts and no comments. */
const viewPage = (visit: Visit, post: PostPage): View => ({
  title: post.title,
  description: post.excerpt,
  isPost: true,
  canonical: isHidden(post) ? null : visit.links.post(post),
  head: pageHead(visit, post),
  body: <Article visit={visit} post={post} author={undefined} />,
});

function Article({ visit, post, author }: ArticleProps) {
  const { language, links, settings, origin } = visit;
  const t = blogTexts[language];
  const { headings } = post;
  return (
    <article class="post h-entry">
      <a class="u-url" href={links.post(post)} hidden />
      <header class="column page-head">
        <StateOfPost visit={visit} post={post} />
        <h1 class="p-name" dir="auto" lang={settings.language}>
          {post.title}
        </h1>
        {post.kind === "page" ? (
          <p class="meta">
            <EditLink visit={visit} section="blog" record={post} />
          </p>
        ) : (
          <Byline visit={visit} post={post} author={author} />
        )}
      </header>
      {post.cover ? (
        <figure class="wide post-cover">
          <Picture
            photo={post.cover}
            links={links}
            language={language}
            sizes="(min-width: 76rem) 76rem, 100vw"
            isFirst
          />
        </figure>
      ) : null}
      {headings.length >= minHeadings ? <Contents headings={headings} title={t.contents} /> : null}
      <div class="column prose e-content" dir="auto" lang={settings.language}>
        {raw(showFirst(fillMarks(post.page, origin, t), post.cover !== null))}
      </div>
      {post.tags.length === 0 || post.kind === "page" ? null : (
        <ul class="chips column">
          {post.tags.map((tag) => (
            <li>
              <a class="chip p-category" rel="tag" href={links.tag(tag)} dir="auto">
                {tag}
              </a>
            </li>
          ))}
        </ul>
      )}
      {author && links.prefix === "" ? <AboutAuthor author={author} visit={visit} /> : null}
    </article>
  );
}

/** Without a cover, the first picture in the text is loaded at once. */
const showFirst = (html: string, hasCover: boolean) =>
  hasCover ? html : html.replace(/(<img\s[^<>]*?)\sloading="lazy"/, "$1");

type ArticleProps = { visit: Visit; post: PostPage; author: PublicPerson | undefined };

function Byline({ visit, post, author }: ArticleProps) {
  const { language, links } = visit;
  const t = blogTexts[language];
  return (
    <div class="byline">
      {author ? <Avatar person={author} links={links} /> : null}
      <p class="meta">
        {author ? <AuthorLink author={author} links={links} rel="author" /> : null}
        {post.publishedAt ? <Day time={post.publishedAt} language={language} property="dt-published" /> : null}
        {isUpdatedLater(post) ? (
          <span>
            {t.updated} <Day time={post.updatedAt} language={language} property="dt-updated" />
          </span>
        ) : null}
        <span>{t.readingTime(post.minutes)}</span>
        <EditLink visit={visit} section="blog" record={post} />
      </p>
    </div>
  );
}

/** Who wrote it, after the text. DiscussionState if there is more to say than the name. */
function AboutAuthor({ author, visit: { links, language } }: { author: PublicPerson; visit: Visit }) {
  if (author.about === "" && author.links.length === 0) return null;
  return (
    <aside class="column" aria-label={blogTexts[language].author}>
      <div class="about-author">
        <Avatar person={author} links={links} size={64} />
        <div>
          <p class="name">
            <AuthorLink author={author} links={links} />
          </p>
          {author.about === "" ? null : (
            <p class="about" dir="auto">
              {author.about}
            </p>
          )}
          <ProfileLinks of={author} />
        </div>
      </div>
    </aside>
  );
}

/** For those who see a post that others do not. */
function StateOfPost({ visit: { language }, post }: { visit: Visit; post: PostPage }) {
  if (!isHidden(post)) return null;
  const t = blogTexts[language];
  const [state, note] =
    post.publishedAt === null
      ? [t.draft, t.draftNote]
      : Date.parse(post.publishedAt) > Date.now()
        ? [t.scheduled, t.scheduledNote(printTime(post.publishedAt, language), post.kind)]
        : [t.private, t.privateNote(post.kind)];
  return (
    <p class="notice">
      <span class="chip">{state}</span> {note}
    </p>
  );
}

function Contents({ headings, title }: { headings: Heading[]; title: string }) {
  return (
    <nav class="toc column" aria-labelledby="toc">
      <h2 id="toc" class="eyebrow">
        {title}
      </h2>
      <ol>
        {headings.map(({ level, id, html }) => (
          <li class={`level-${level}`}>
            <a href={`#${id}`} dir="auto">
              {raw(html)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

type NeighboursProps = { visit: Visit; previous: PostLink | null; next: PostLink | null };

function Neighbours({ visit: { language, links }, previous, next }: NeighboursProps) {
  const t = blogTexts[language];
  if (!previous && !next) return null;
  const link = (rel: "prev" | "next", text: string, post: PostLink | null) =>
    post ? (
      <a rel={rel} href={links.post(post)}>
        <span class="eyebrow">{text}</span>
        <span class="title" dir="auto">
          {post.title}
        </span>
      </a>
    ) : null;
  return (
    <nav class="column neighbours" aria-label={t.otherPosts}>
      {link("prev", t.previousPost, previous)}
      {link("next", t.nextPost, next)}
    </nav>
  );
}

/** Whether it was changed on another day than it was published. */
const isUpdatedLater = ({ publishedAt, updatedAt }: PostPage): boolean =>
  publishedAt !== null && updatedAt.slice(0, 10) > publishedAt.slice(0, 10);
