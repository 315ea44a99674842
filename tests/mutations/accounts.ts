import type { Mutation } from "./mutation.ts";

/** Which passwords accounts have. */
export const accounts: Mutation[] = [
  {
    breaks: "somebody with a weak password becomes an admin",
    file: "src/core/users/store.ts",
    from: "sql`has_weak_password = 0`",
    to: "sql`1 = 1`",
    test: "src/core/users/admin-passwords.test.ts",
    title: "nobody becomes one with another, and may after a change",
  },
  {
    breaks: "an address that somebody has entered with a stolen session is confirmed after the password has changed",
    file: "src/core/users/sessions.ts",
    from: "  await endPending(tx, userID);\n",
    to: "",
    test: "src/core/addresses/addresses.test.ts",
    title: "cannot be confirmed after %s",
    row: "a change of the password",
  },
  {
    breaks: "nobody is told that a recovery code was used",
    file: "src/core/users/note-factor.ts",
    from: "  await mails.tell(tx, user.id, { name: action, words: [user.username] });\n",
    to: "",
    test: "src/core/addresses/addresses.test.ts",
    title: "a second factor that is added or removed, and a recovery code that is used, is told to the person",
  },
  {
    breaks: "an admin sets a weak password",
    file: "src/core/users/new-password.ts",
    from: 'role === "admin" || passwordRule === "strong"',
    to: 'passwordRule === "strong"',
    test: "src/core/users/admin-passwords.test.ts",
    title: "an invitation as admin asks for one, in the API and on its page, and is not used up",
  },
  {
    breaks: "a site that somebody runs accepts weak passwords",
    file: "src/core/users/store.ts",
    from: "  await settlePasswordRule(tx);\n",
    to: "",
    test: "src/core/users/password-rule.test.ts",
    title: "%s, until an admin chooses otherwise",
    row: "that user add makes",
  },
];
