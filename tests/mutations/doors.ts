import type { Mutation } from "./mutation.ts";

const dav = { test: "src/features/dav/dav.test.ts" };

/** Other protocols than that of the API. */
export const doors: Mutation[] = [
  {
    ...dav,
    breaks: "a key without the scope dav opens WebDAV",
    file: "src/features/dav/sign-in.ts",
    from: `if (!scopes.includes("dav") && !scopes.includes("admin"))`,
    to: "if (scopes.length === 0)",
    title: "signs in with a username and a key for WebDAV, and with nothing else",
  },
  {
    ...dav,
    breaks: "a key opens WebDAV with any username",
    file: "src/features/dav/sign-in.ts",
    from: "caller && usernameKey(caller.username) === usernameKey(username) ? caller : null",
    to: "caller",
    title: "signs in with a username and a key for WebDAV, and with nothing else",
  },
  {
    ...dav,
    breaks: "keys for WebDAV can be guessed without end",
    file: "src/features/dav/sign-in.ts",
    from: "if (sent) await countGuess(exchange, guesses);",
    to: "",
    title: "who guesses is stopped, and the right key still works",
  },
  {
    ...dav,
    breaks: "a lock holds the name of what is gone",
    file: "src/features/dav/locks.ts",
    from: "if (records.get(key) === lock.record) held.push(lock);",
    to: "held.push(lock);",
    title: "holds no name with the lock of something that is gone, however often it is refreshed",
  },
  {
    ...dav,
    breaks: "two who replace the same content over WebDAV both succeed",
    file: "src/features/dav/put.ts",
    from: "await conditions.check(tx, resource, [touchedBy(visit.names, resource)]);",
    to: "",
    title: "is written as safely as by the API",
  },
  {
    ...dav,
    breaks: "everyone changes what they see over WebDAV",
    file: "src/features/dav/collections.ts",
    from: "if (!isOwnerOrAdmin(caller, resource.file))",
    to: "if (caller.id === 0)",
    title: "shows strangers what the API shows them, and lets them change nothing",
  },
  {
    ...dav,
    breaks: "everyone reads what clients of the owner have noted about a file",
    file: "src/features/dav/propfind.ts",
    from: "isOwnerOrAdmin(caller, resource.file)",
    to: "caller.id >= 0",
    title: "shows strangers what the API shows them, and lets them change nothing",
  },
  {
    ...dav,
    breaks: "XML with a DOCTYPE is read",
    file: "src/features/dav/xml-reader.ts",
    from: `throw new Refusal(400, "The XML must not have a DOCTYPE.", { condition: "no-external-entities" });`,
    to: "",
    title: "gets no XML expanded, and none that is too deep or too long",
  },
  {
    ...dav,
    breaks: "locks keep nobody out",
    file: "src/features/dav/locks.ts",
    from: "if (!locks.some(isHeld)) throw locked();",
    to: "if (locks.length === 0) throw locked();",
    title: "cannot flood with locks or properties, and a lock keeps others out",
  },
  {
    ...dav,
    breaks: "a temporary file that replaces another makes it a new file",
    file: "src/features/dav/transfer.ts",
    from: "if (await canGiveContent(tx, visit, gift)) return giveContent(tx, visit, gift);",
    to: "",
    title:
      "a program that saves by replacing a file saves the same file, with its versions and without traces in the trash",
  },
];
