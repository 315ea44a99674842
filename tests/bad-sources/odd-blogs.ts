import { ghostKind } from "../../convert/sources/ghost/ghost.ts";
import { wordpressKind } from "../../convert/sources/wordpress/wordpress.ts";
import { nested, type OddExport } from "./odd-export.ts";

const cdata = (text: string) => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

type Fields = { id?: string; title?: string; content?: string; date?: string; name?: string; more?: string };

export const wpPost = ({ id = "1", title = `Post ${id}`, content = "Text.", more = "", ...given }: Fields = {}) =>
  `<item><title>${cdata(title)}</title><wp:post_id>${id}</wp:post_id><wp:post_type>post</wp:post_type>
  <wp:status>publish</wp:status><wp:post_name>${given.name ?? `post-${id}`}</wp:post_name>
  <wp:post_date_gmt>${given.date ?? "2015-01-01 00:00:00"}</wp:post_date_gmt>
  <content:encoded>${cdata(content)}</content:encoded>${more}</item>`;

export const wpComment = (id: number | string, parent: number | string, text = `Comment ${id}`) =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_parent>${parent}</wp:comment_parent>
  <wp:comment_author>Zoë</wp:comment_author><wp:comment_date_gmt>2015-01-02 00:00:00</wp:comment_date_gmt>
  <wp:comment_content>${cdata(text)}</wp:comment_content><wp:comment_approved>1</wp:comment_approved></wp:comment>`;

const wpBlock = (id: string, content: string) => wpPost({ id, content }).replace(">post<", ">wp_block<");

export const wxr = (items: string[], { encoding = "UTF-8", before = "", more = "" } = {}) =>
  `<?xml version="1.0" encoding="${encoding}"?>${before}<rss version="2.0"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:base_blog_url>https://old.example</wp:base_blog_url>${more}
  ${items.join("\n")}</channel></rss>`;

const wordpress = (
  name: string,
  bytes: string | Uint8Array,
  rest: Omit<OddExport, "name" | "kind" | "files"> = {},
  more: OddExport["files"] = {},
): OddExport => ({
  name: `WordPress: ${name}`,
  kind: wordpressKind,
  files: { "x.xml": bytes, ...more },
  taken: ["post 1"],
  ...rest,
});

const damaged = { refused: { "x.xml": /^It is damaged or cut off: / } };
const good = wpPost();
const withBody = (content: string) => wxr([wpPost({ content }), wpPost({ id: "2" })]);
const both = { taken: ["post 1", "post 2"] };
const whole = wxr([good, wpPost({ id: "2" })]);

const wordpressCases: OddExport[] = [
  wordpress("cut off in an item", whole.slice(0, whole.indexOf("Post 2")), damaged),
  wordpress("cut off in a tag", `${whole.slice(0, whole.lastIndexOf("<wp:status"))}<wp:st`, damaged),
  wordpress("elements that do not fit together", wxr([good, "<item><title>Two</item></title>"]), {
    ...damaged,
  }),
  wordpress("an entity bomb", wxr([good], { before: '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>' }), {
    refused: { "x.xml": /document type/ },
    taken: [],
  }),
  wordpress("an entity of a file", wxr([good], { before: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' }), {
    refused: { "x.xml": /document type/ },
    taken: [],
  }),
  wordpress("10,000 levels of elements", wxr([good, nested(10_000, "<a>", "x", "</a>")]), {
    refused: { "x.xml": /nested too deeply/ },
  }),
  wordpress("UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(wxr([good]), "utf16le")])),
  wordpress(
    "Latin-1 that says so",
    Buffer.from(wxr([wpPost({ title: "Café" })], { encoding: "ISO-8859-1" }), "latin1"),
    {
      says: { "post 1": { title: "Café" } },
    },
  ),
  wordpress("Latin-1 that says it is UTF-8", Buffer.from(wxr([wpPost({ title: "Café" })]), "latin1"), {
    says: { "post 1": { title: "Caf\ufffd" } },
  }),
  wordpress("an encoding that nobody knows", wxr([good], { encoding: "x-klingon" })),
  wordpress("control characters", wxr([wpPost({ title: "A\u0000\u0001B\u001b[31m" })]), {
    says: { "post 1": { title: "AB[31m" } },
  }),
  wordpress("a date of zeros", wxr([wpPost({ date: "0000-00-00 00:00:00" })])),
  wordpress("a date of 1904", wxr([wpPost({ date: "1904-01-01 00:00:00" })]), {
    says: { "post 1": { publishedAt: Date.UTC(1904, 0) } },
  }),
  wordpress("a date of 2099", wxr([wpPost({ date: "2099-01-01 00:00:00" })]), {
    says: { "post 1": { publishedAt: Date.UTC(2099, 0) } },
  }),
  wordpress("a date that is none", wxr([wpPost({ date: "2019-13-77 99:99:99" })]), {
    says: { "post 1": { createdAt: null } },
  }),
  wordpress("the same post twice", wxr([good, good])),
  wordpress("the same slug twice", wxr([wpPost({ name: "a" }), wpPost({ id: "2", name: "a" })]), both),
  wordpress("a post without an id", wxr([wpPost({ id: "" }), good]), { taken: ["post 1", "post Post"] }),
  wordpress(
    "comments that answer each other",
    wxr([wpPost({ more: wpComment(1, 2) + wpComment(2, 1) + wpComment(3, 3) })]),
    {
      taken: ["post 1", "comment 1", "comment 2", "comment 3"],
    },
  ),
  wordpress("a comment on one that is not there", wxr([wpPost({ more: wpComment(1, 99) })]), {
    taken: ["post 1", "comment 1"],
  }),
  wordpress("a text of 100,000 levels", withBody(nested(100_000, "<div>", "deep", "</div>")), both),
  wordpress("100,000 brackets", withBody("[gallery ".repeat(100_000)), both),
  wordpress("100,000 tags without an end", withBody('<a href="'.repeat(100_000)), both),
  wordpress("100,000 comments of blocks", withBody("<!-- wp:gallery ".repeat(100_000)), both),
  wordpress(
    "shared blocks that contain each other",
    wxr([
      wpPost({ content: '<!-- wp:block {"ref":8} /-->' }),
      wpBlock("8", '<!-- wp:block {"ref":9} /--><!-- wp:block {"ref":9} /-->'),
      wpBlock("9", '<!-- wp:block {"ref":8} /--><!-- wp:block {"ref":8} /-->'),
    ]),
  ),
  wordpress(
    "a gallery of 50,000 pictures that are not there",
    withBody(`[gallery ids="${"7,".repeat(50_000)}"]`),
    both,
  ),
  wordpress(
    "categories in a circle",
    wxr([good], {
      more: ["a", "b"]
        .map(
          (name) =>
            `<wp:category><wp:category_nicename>${name}</wp:category_nicename><wp:category_parent>${name === "a" ? "b" : "a"}</wp:category_parent><wp:cat_name>${name}</wp:cat_name></wp:category>`,
        )
        .join(""),
    }),
  ),
  wordpress(
    "media with hostile addresses",
    wxr([
      good,
      ...["javascript:alert(1)", "https://old.example/wp-content/uploads/../../../etc/passwd", "//", "http://[::"].map(
        (url, index) =>
          wpPost({ id: `${index + 5}`, more: `<wp:attachment_url>${url}</wp:attachment_url>` }).replace(
            ">post<",
            ">attachment<",
          ),
      ),
    ]),
    {
      refused: {
        "javascript:alert(1)": /not in the folder/,
        "https://old.example/wp-content/uploads/../../../etc/passwd": /not in the folder/,
        "//": /not in the folder/,
        "http://[::": /not in the folder/,
      },
    },
    { "wp-content/uploads/2019/a.jpg": "x" },
  ),
];

const post = (more: object = {}) => ({
  id: "1",
  title: "One",
  slug: "one",
  status: "published",
  html: "<p>Text</p>",
  ...more,
});
const exported = (data: object) => JSON.stringify({ db: [{ meta: { exported_on: 1, version: "5.0" }, data }] });

const ghost = (
  name: string,
  json: string | Uint8Array,
  rest: Omit<OddExport, "name" | "kind" | "files"> = {},
): OddExport => ({
  name: `Ghost: ${name}`,
  kind: ghostKind,
  files: { "ghost.json": json },
  taken: ["post 1"],
  ...rest,
});
const notGhost = { refused: { "ghost.json": /not an export of Ghost/ }, taken: [] };
const unreadable = { refused: { "one (1)": /text cannot be read/ } };

const ghostCases: OddExport[] = [
  ghost("cut off", exported({ posts: [post()] }).slice(0, -8), notGhost),
  ghost(
    "JSON of 100,000 levels",
    `{"db":[{"meta":{"version":"5"},"data":${nested(100_000, "[", "", "]")}}]}`,
    notGhost,
  ),
  ghost("posts that are no list", exported({ posts: { a: 1 } }), notGhost),
  ghost("UTF-16", Buffer.from(exported({ posts: [post()] }), "utf16le"), { taken: [] }),
  ghost(
    "rows of other types",
    exported({ posts: [post({ title: 7, html: [], page: "x" }), 3, null, "x", {}], tags: "x", users: 7 }),
    { refused: { "ghost.json": /^4 of its posts have not the form/ } },
  ),
  ghost("a text that is no JSON", exported({ posts: [post({ html: null, lexical: "{" })] }), unreadable),
  ghost(
    "an editor's document of 5,000 levels",
    exported({
      posts: [post({ html: null, lexical: nested(5000, '{"root":{"children":[', "{}", "]}}") })],
    }),
  ),
  ghost("HTML of 100,000 levels", exported({ posts: [post({ html: nested(100_000, "<b>", "deep", "</b>") })] })),
  ghost(
    "dates of all kinds",
    exported({
      posts: [
        post({ published_at: "1904-01-01 00:00:00" }),
        post({ id: "2", published_at: 4_070_908_800_000 }),
        post({ id: "3", published_at: "0000-00-00 00:00:00" }),
        post({ id: "4", published_at: 1e300 }),
      ],
    }),
    {
      taken: ["post 1", "post 2", "post 3", "post 4"],
      says: { "post 1": { publishedAt: Date.UTC(1904, 0) }, "post 2": { publishedAt: Date.UTC(2099, 0) } },
    },
  ),
  ghost(
    "tags and authors that are not there",
    exported({
      posts: [post({ author_id: "99" })],
      posts_tags: [{ post_id: "1", tag_id: "77" }],
      posts_authors: [{ post_id: "1", author_id: "88" }],
    }),
    { says: { "post 1": { tags: [] } } },
  ),
  ghost(
    "a cover that is not there",
    exported({ posts: [post({ feature_image: "__GHOST_URL__/content/images/../../x.jpg" })] }),
    {
      refused: { "one (1)": /cover is not in the source/ },
    },
  ),
];

export const oddBlogs: OddExport[] = [...wordpressCases, ...ghostCases];
