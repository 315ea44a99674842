/** @jsxImportSource hono/jsx */

/** Stands for a person beside their name. */
export const Avatar = ({ username }: { username: string }) => (
  <span class="avatar" aria-hidden="true">
    {String.fromCodePoint(username.codePointAt(0) ?? 0).toUpperCase()}
  </span>
);
