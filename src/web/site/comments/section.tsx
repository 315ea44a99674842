/** @jsxImportSource hono/jsx */
import { type CommentRecord, isModerator } from "../../../content/comments/comment.ts";
import { isOwnerOrAdmin } from "../../../platform/http/route.ts";
import { shownName } from "../author.tsx";
import { Avatar } from "../avatar.tsx";
import { Day } from "../day.tsx";
import type { Visit } from "../page.ts";
import { printCount } from "../formats.ts";
import { commentTexts } from "../texts/comments.ts";
import { authorOf, type Topic, type Discussion, type Thread } from "./discussion.ts";
import { CommentForm, SignInForm } from "./forms.tsx";
import { CommentText } from "./comment-text.tsx";

type Props = { visit: Visit; about: Topic; discussion: Discussion };

/** The comments with all that the visitor may do there. Everything works without script. */
export function CommentSection({ visit, about, discussion }: Props) {
  const { language, viewer } = visit;
  const t = commentTexts[language];
  const { threads, count, earlier, later, draft } = discussion;
  const isOpen = about.isOpen && !visit.isCopy;
  if (!isOpen && count === 0) return null;
  const pageAt = (after: number) => `${about.path}${after === 0 ? "" : `?comments=${after}`}#comments`;
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
            <ThreadItem visit={visit} about={about} discussion={discussion} thread={thread} />
          ))}
        </ol>
      )}
      {later === null ? null : <a href={pageAt(later)}>{t.later}</a>}
      {!isOpen ? (
        about.isOpen ? null : (
          <p class="notice">{t.closed}</p>
        )
      ) : viewer ? (
        isOpenAbove(discussion) ? null : (
          <CommentForm visit={visit} about={about} draft={{ ...draft, form: "new" }} />
        )
      ) : (
        <SignInForm visit={visit} about={about} typed={draft?.content} />
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
        <CommentForm visit={rest.visit} about={rest.about} draft={draft} to={nameOf(rest.discussion, comment)} />
      ) : null}
    </li>
  );
}

const nameOf = (discussion: Discussion, comment: CommentRecord): string => {
  const { username, displayName = null } = authorOf(discussion, comment);
  return shownName({ username, displayName });
};

type CommentProps = Props & { comment: CommentRecord; replyTo: Thread["replyTo"] };

function Comment({ visit, about, discussion, comment, replyTo }: CommentProps) {
  const { language, links, viewer } = visit;
  const t = commentTexts[language];
  const author = authorOf(discussion, comment);
  const name = nameOf(discussion, comment);
  const { draft } = discussion;
  const mayEdit = isOwnerOrAdmin(viewer, comment) && !comment.source;
  const isEdited = draft?.form === "edit" && draft.id === comment.id && mayEdit;
  return (
    <article class="comment" id={`comment-${comment.id}`}>
      <header class="meta">
        {comment.source ? (
          <Mentioned source={comment.source} visit={visit} />
        ) : (
          <>
            <Avatar person={author} links={links} />
            {discussion.published.has(comment.ownerID) ? (
              <a href={links.person(author.username)} dir="auto">
                {name}
              </a>
            ) : (
              <span class="name" dir="auto">
                {name}
              </span>
            )}
            {comment.ownerID === about.target.ownerID ? <span class="chip">{t.author}</span> : null}
          </>
        )}
        <a href={`${about.path}/comments/${comment.id}`} rel="nofollow">
          <Day time={comment.createdAt} language={language} />
        </a>
        {comment.status === "visible" ? null : <span class="chip">{t[comment.status]}</span>}
        {replyTo ? (
          <a href={`${about.path}/comments/${replyTo.id}`} rel="nofollow">
            {t.inReplyTo(nameOf(discussion, replyTo))}
          </a>
        ) : null}
      </header>
      {isEdited ? (
        <CommentForm visit={visit} about={about} draft={{ content: comment.content, ...draft }} />
      ) : (
        <>
          {isWordless(comment) ? null : <CommentText text={comment.content} />}
          <Actions visit={visit} about={about} discussion={discussion} comment={comment} />
        </>
      )}
    </article>
  );
}

/** Who has linked here, on which other site, and how. */
function Mentioned({ source, visit }: { source: NonNullable<CommentRecord["source"]>; visit: Visit }) {
  const { host } = new URL(source.url);
  const name = source.author ?? host;
  return (
    <>
      <Avatar person={{ username: name }} links={visit.links} />
      <a href={source.url} rel="nofollow ugc noopener" dir="auto">
        {name}
      </a>
      <span>{commentTexts[visit.language].mentions[source.kind](host)}</span>
    </>
  );
}

/** All has been said with who likes or shares it. */
const isWordless = ({ source }: CommentRecord): boolean => source?.kind === "like" || source?.kind === "repost";

/** Links to forms, and one form whose buttons say what to do. */
function Actions({ visit, about, discussion, comment }: Omit<CommentProps, "replyTo">) {
  const { language, viewer } = visit;
  const t = commentTexts[language];
  if (!viewer) return null;
  const { after } = discussion;
  const formAt = (name: "reply" | "edit") =>
    `${about.path}?${after === 0 ? "" : `comments=${after}&`}${name}=${comment.id}#comment-${comment.id}`;
  const isOwn = isOwnerOrAdmin(viewer, comment);
  const moderates = isModerator(viewer, { ...comment, targetOwnerID: about.target.ownerID });
  const mayReply = about.isOpen && comment.parentID === null;
  if (!isOwn && !moderates && !mayReply) return null;
  const button = (action: string, text: string) => (
    <button type="submit" name="action" value={action}>
      {text}
    </button>
  );
  return (
    <form class="actions" method="post" action={`${about.path}/comments/${comment.id}`}>
      {mayReply ? <a href={formAt("reply")}>{t.reply}</a> : null}
      {isOwn && !comment.source ? <a href={formAt("edit")}>{t.edit}</a> : null}
      {moderates && comment.status === "waiting" ? button("approve", t.approve) : null}
      {moderates && comment.status === "hidden" ? button("approve", t.show) : null}
      {moderates && comment.status !== "hidden" ? button("hide", t.hide) : null}
      {isOwn || moderates ? button("delete", t.delete) : null}
    </form>
  );
}
