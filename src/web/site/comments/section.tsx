/** @jsxImportSource hono/jsx */
import type { PostHead } from "../../../content/blog/post.ts";
import { type CommentRecord, isModerator } from "../../../content/comments/comment.ts";
import { isOwnerOrAdmin } from "../../../platform/http/route.ts";
import { Avatar } from "../avatar.tsx";
import { Day } from "../day.tsx";
import type { Visit } from "../page.ts";
import { printCount } from "../formats.ts";
import { commentTexts } from "../texts/comments.ts";
import type { Discussion, Thread } from "./discussion.ts";
import { CommentForm, SignInForm } from "./forms.tsx";
import { CommentText } from "./comment-text.tsx";

type Props = { visit: Visit; post: PostHead; discussion: Discussion };

/** The comments on a post with all that the visitor may do there. Everything works without script. */
export function CommentSection({ visit, post, discussion }: Props) {
  const { language, links, viewer } = visit;
  const t = commentTexts[language];
  const { threads, count, earlier, later, draft } = discussion;
  if (!post.commentsOpen && count === 0) return null;
  const pageAt = (after: number) => `${links.post(post)}${after === 0 ? "" : `?comments=${after}`}#comments`;
  return (
    <section class="column comments" id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">
        {t.title} {count === 0 ? null : <span class="quiet">{printCount(count, language)}</span>}
      </h2>
      {earlier === null ? null : <a href={pageAt(earlier)}>{t.earlier}</a>}
      {threads.length === 0 ? (
        <p class="quiet">{t.none}</p>
      ) : (
        <ol class="threads">
          {threads.map((thread) => (
            <ThreadItem visit={visit} post={post} discussion={discussion} thread={thread} />
          ))}
        </ol>
      )}
      {later === null ? null : <a href={pageAt(later)}>{t.later}</a>}
      {!post.commentsOpen ? (
        <p class="notice">{t.closed}</p>
      ) : viewer ? (
        isOpenAbove(discussion) ? null : (
          <CommentForm visit={visit} post={post} draft={{ ...draft, form: "new" }} />
        )
      ) : (
        <SignInForm visit={visit} post={post} typed={draft?.content} />
      )}
    </section>
  );
}

/** Whether the form is at a comment on this page. */
const isOpenAbove = ({ draft, threads }: Discussion): boolean =>
  draft !== undefined &&
  draft.form !== "new" &&
  threads.some(({ comment, replies }) => [comment, ...replies].some(({ id }) => id === draft.id));

function ThreadItem({ thread, ...rest }: Props & { thread: Thread }) {
  const { comment, replyTo, replies } = thread;
  const { draft } = rest.discussion;
  return (
    <li>
      <Comment {...rest} comment={comment} replyTo={replyTo} />
      {replies.length === 0 ? null : (
        <ol class="replies">
          {replies.map((reply) => (
            <li>
              <Comment {...rest} comment={reply} replyTo={null} />
            </li>
          ))}
        </ol>
      )}
      {draft?.form === "reply" && draft.id === comment.id && rest.visit.viewer ? (
        <CommentForm visit={rest.visit} post={rest.post} draft={draft} to={comment} />
      ) : null}
    </li>
  );
}

type CommentProps = Props & { comment: CommentRecord; replyTo: Thread["replyTo"] };

function Comment({ visit, post, discussion, comment, replyTo }: CommentProps) {
  const { language, links, viewer } = visit;
  const t = commentTexts[language];
  const { username } = comment.author;
  const { draft } = discussion;
  const isEdited = draft?.form === "edit" && draft.id === comment.id && isOwnerOrAdmin(viewer, comment);
  return (
    <article class="comment" id={`comment-${comment.id}`}>
      <header class="meta">
        <Avatar person={comment.author} links={links} />
        {discussion.published.has(comment.ownerID) ? (
          <a href={links.person(username)} dir="auto">
            {username}
          </a>
        ) : (
          <span class="name" dir="auto">
            {username}
          </span>
        )}
        {comment.ownerID === post.ownerID ? <span class="chip">{t.author}</span> : null}
        <a href={`${links.post(post)}/comments/${comment.id}`} rel="nofollow">
          <Day time={comment.createdAt} language={language} />
        </a>
        {comment.status === "visible" ? null : <span class="chip">{t[comment.status]}</span>}
        {replyTo ? (
          <a href={`${links.post(post)}/comments/${replyTo.id}`} rel="nofollow">
            {t.inReplyTo(replyTo.username)}
          </a>
        ) : null}
      </header>
      {isEdited ? (
        <CommentForm visit={visit} post={post} draft={{ content: comment.content, ...draft }} />
      ) : (
        <>
          <CommentText text={comment.content} />
          <Actions visit={visit} post={post} discussion={discussion} comment={comment} />
        </>
      )}
    </article>
  );
}

/** Links to forms, and one form whose buttons say what to do. */
function Actions({ visit, post, discussion, comment }: Omit<CommentProps, "replyTo">) {
  const { language, links, viewer } = visit;
  const t = commentTexts[language];
  if (!viewer) return null;
  const { after } = discussion;
  const formAt = (name: "reply" | "edit") =>
    `${links.post(post)}?${after === 0 ? "" : `comments=${after}&`}${name}=${comment.id}#comment-${comment.id}`;
  const isOwn = isOwnerOrAdmin(viewer, comment);
  const moderates = isModerator(viewer, { ...comment, postOwnerID: post.ownerID });
  const mayReply = post.commentsOpen && comment.parentID === null;
  if (!isOwn && !moderates && !mayReply) return null;
  const button = (action: string, text: string) => (
    <button type="submit" name="action" value={action}>
      {text}
    </button>
  );
  return (
    <form class="actions" method="post" action={`${links.post(post)}/comments/${comment.id}`}>
      {mayReply ? <a href={formAt("reply")}>{t.reply}</a> : null}
      {isOwn ? <a href={formAt("edit")}>{t.edit}</a> : null}
      {moderates && comment.status === "waiting" ? button("approve", t.approve) : null}
      {moderates && comment.status === "hidden" ? button("approve", t.show) : null}
      {moderates && comment.status !== "hidden" ? button("hide", t.hide) : null}
      {isOwn || moderates ? button("delete", t.delete) : null}
    </form>
  );
}
