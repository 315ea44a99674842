import type { Mutation } from "./mutation.ts";

const byCaller = {
  file: "src/platform/http/token.ts",
  test: "tests/api/limits-by-caller.test.ts",
  title: "a token elsewhere than it was made for, a forged one and the cookie on another site count by address",
};
const lenient = { test: "tests/api/lenient-requests.test.ts" };

/** How requests are counted, in which forms they are accepted, and what they cost. */
export const requests: Mutation[] = [
  {
    ...byCaller,
    breaks: "a token of the API in a cookie has the wide limit of a person in a browser",
    from: "(!isInAPI || caller.key || caller.isInBrowser)",
    to: "caller.id > 0",
  },
  {
    ...byCaller,
    breaks: "the session of a browser has its wide limit also as a token of the API",
    from: "(sendsToken(exchange) && isInAPI && !token.startsWith(keyPrefix))",
    to: "token === keyPrefix",
  },
  {
    ...lenient,
    breaks: "a page of another site sends text as JSON with the session of a browser",
    file: "src/platform/http/body.ts",
    from: "!acceptsForm && (ignoresSessions === true || sendsToken(exchange))",
    to: "true",
    title: "%j is refused where the session of a browser acts, and by /session",
    row: '"text/plain"',
  },
  {
    ...lenient,
    breaks: "a base address that ends in a slash leads nowhere",
    file: "src/platform/http/exchange.ts",
    from: "isOfAPI(single) ? single : path",
    to: "path",
    title: "make no difference in paths of the API, and lead nowhere else",
  },
  {
    ...lenient,
    breaks: "HTTP/1.0 without Host is refused",
    file: "src/platform/http/exchange.ts",
    from: "given === null ? wholeURL(request, host) : request.url",
    to: "request.url",
    title: "is served, and the connection is closed",
  },
  {
    breaks: "a word of another path is taken for an id",
    file: "src/platform/http/router.ts",
    from: "if (isPage) return false;",
    to: "if (isPage || path) return false;",
    test: "tests/api/http.test.ts",
    title: "a word in the place of an id is a 400, one that begins another path a 404",
  },
  {
    breaks: "moderators read every comment of the site",
    file: "src/content/comments/store.ts",
    from: `status === "visible" ? [] : [isInStatusIndex]`,
    to: "[]",
    test: "tests/guards/plans.test.ts",
    title: "no list does what is against the rule of %s, and all exceptions are needed",
    row: "scans",
  },
  {
    breaks: "a page of another site resolves its links against an address of any length",
    file: "src/features/openweb/page-links.ts",
    from: "null : parseWebAddress(base, page)",
    to: "null : URL.parse(base, page.href)",
    test: "src/features/openweb/openweb.test.ts",
    title: "what is resolved of a page is bounded, however long its base is and however many links it has",
  },
  {
    breaks: "a list of comments says whether a hidden post has any",
    file: "src/content/comments/target.ts",
    from: "AND ${isLive} AND ${isVisibleOrGrantedTo(viewer, thisTable, kind)}`",
    to: "AND ${isLive}`",
    test: "src/content/comments/filter.test.ts",
    title: "the filter %s finds nothing of what is hidden, deleted or unknown, as if it were empty",
    row: "blogPostID",
  },
  {
    breaks: "a body with nothing but null changes a photo",
    file: "src/platform/http/validate.ts",
    from: "schema.nullish().transform((value) => value ?? undefined)",
    to: "schema.nullish()",
    test: "tests/api/nulls.test.ts",
    title: "for those of a photo that is changed, which keeps its own",
  },
  {
    breaks: "the path of a redirect is decoded twice",
    file: "src/features/redirects/resolve.ts",
    from: `return { kind: "tag", target: second };`,
    to: `return { kind: "tag", target: decodeURIComponent(second) };`,
    test: "src/features/redirects/redirects.test.ts",
    title: "the path of a tag is decoded once",
  },
  {
    breaks: "a photo stays untitled although a title was sent",
    file: "src/content/photos/change.ts",
    from: "sql`, is_untitled = 0`",
    to: "sql``",
    test: "src/web/site/untitled.test.ts",
    title: "is one that nobody has sent: any title that was sent is shown",
  },
];
