/** @jsxImportSource hono/jsx */
import { longestComment } from "../../../content/comments/comment.ts";
import type { Visit } from "../page.ts";
import { commentTexts } from "../texts/comments.ts";
import type { Topic, Draft } from "./discussion.ts";

/** People do not see this field, so what fills it in is a program. */
export const trapField = "website";

type FormProps = { visit: Visit; about: Topic; draft: Draft; to?: string };

export function CommentForm({ visit: { language }, about: { path }, draft, to }: FormProps) {
  const t = commentTexts[language];
  const { form, id, content = "", mistake } = draft;
  const comments = `${path}/comments`;
  const title = to ? t.replyTo(to) : form === "edit" ? t.editTitle : t.yourComment;
  const submit = { new: t.send, reply: t.sendReply, edit: t.save }[form];
  return (
    <form class="comment-form" method="post" action={form === "edit" ? `${comments}/${id}` : comments} id="write">
      {form === "reply" ? <input type="hidden" name="parentID" value={id} /> : null}
      <div class="field">
        <label for="comment-text">{title}</label>
        <textarea
          id="comment-text"
          name="content"
          rows={form === "new" ? 4 : 5}
          maxlength={longestComment}
          required
          dir="auto"
          autofocus={form !== "new" || mistake !== undefined}
          aria-describedby={mistake ? "comment-error" : "comment-hint"}
          aria-invalid={mistake ? "true" : undefined}
        >
          {content}
        </textarea>
        {mistake ? (
          <p class="error" id="comment-error" role="alert">
            {t.mistakes[mistake]}
          </p>
        ) : (
          <p class="hint" id="comment-hint">
            {t.hint}
          </p>
        )}
      </div>
      <p class="trap" aria-hidden="true">
        <label for={trapField}>{t.leaveEmpty}</label>
        <input id={trapField} name={trapField} tabindex={-1} autocomplete="off" />
      </p>
      <p class="actions">
        <button class="button" type="submit" name="action" value={form === "edit" ? "edit" : "write"}>
          {submit}
        </button>
        {form === "new" ? null : (
          <a class="button quiet" href={`${path}${id ? `/comments/${id}` : "#comments"}`}>
            {t.cancel}
          </a>
        )}
      </p>
    </form>
  );
}

/** `typed` is a comment that was sent after the session had expired or was revoked. */
export function SignInForm({ visit, about, typed }: { visit: Visit; about: Topic; typed: string | undefined }) {
  const { language, settings } = visit;
  const t = commentTexts[language];
  const next = `${about.path}#comments`;
  return (
    <form class="comment-form" method="post" action="/session" id="write">
      {typed === undefined ? null : (
        <div class="field">
          <p class="notice error" role="alert">
            {t.lost}
          </p>
          <label for="typed">{t.yourComment}</label>
          <textarea id="typed" rows={4} readonly dir="auto">
            {typed}
          </textarea>
        </div>
      )}
      <h3>{t.signIn}</h3>
      <input type="hidden" name="next" value={next} />
      <div class="fields">
        <div class="field">
          <label for="username">{t.username}</label>
          <input
            id="username"
            name="username"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            maxlength={64}
            required
          />
        </div>
        <div class="field">
          <label for="password">{t.password}</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            maxlength={256}
            required
          />
        </div>
      </div>
      <p class="actions">
        <button class="button" type="submit">
          {t.signInButton}
        </button>
        {settings.signupRole === "closed" ? null : (
          <a href={`/signup?next=${encodeURIComponent(next)}`} rel="nofollow">
            {t.signUp}
          </a>
        )}
      </p>
    </form>
  );
}
