import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { readHead } from "../files.ts";
import { type Element, encodingOf, localOf, readElements } from "../xml.ts";

const itemFields = {
  post_id: "id",
  post_type: "type",
  status: "status",
  title: "title",
  link: "link",
  post_name: "name",
  creator: "creator",
  post_date_gmt: "date",
  post_date: "localDate",
  post_modified_gmt: "modified",
  encoded: "content",
  excerpt: "excerpt",
  post_password: "password",
  post_parent: "parent",
  comment_status: "commentStatus",
  attachment_url: "attachmentURL",
} as const;

const commentFields = {
  comment_id: "id",
  comment_parent: "parent",
  comment_author: "author",
  comment_author_email: "email",
  comment_user_id: "userID",
  comment_date_gmt: "date",
  comment_content: "content",
  comment_approved: "approved",
  comment_type: "type",
} as const;

type Texts<Fields extends Record<string, string>> = Record<Fields[keyof Fields], string>;
export type WXRComment = Texts<typeof commentFields>;
/** An item as WordPress has exported it. What is missing is "". */
export type WXRItem = Texts<typeof itemFields> & {
  terms: { domain: string; nicename: string; name: string }[];
  meta: Map<string, string>;
  comments: WXRComment[];
};
export type WXRAuthor = { id: string; login: string; email: string; name: string };
export type WXRTerm = { domain: "category" | "tag"; nicename: string; parent: string; name: string };

type WXREntry =
  /** The address of the blog. That of the site may be one of many blogs. */
  | { kind: "base"; name: "base_blog_url" | "link" | "base_site_url"; url: string }
  | { kind: "author"; author: WXRAuthor }
  | { kind: "term"; term: WXRTerm }
  | { kind: "item"; item: WXRItem }
  /** The file is damaged, and what comes after this may be missing. */
  | { kind: "damage"; reason: string };

/** Reads an export from its first to its last item. One that is cut off gives what is whole. */
export async function* readWXR(file: TreeFile): AsyncGenerator<WXREntry> {
  try {
    for await (const element of readElements(file.open(), 3)) {
      const entry = toEntry(element);
      if (entry) yield entry;
    }
  } catch (error) {
    yield { kind: "damage", reason: (error as Error).message };
  }
}

/** Whether a file begins like an export. */
export async function isWXR(file: TreeFile): Promise<boolean> {
  const bytes = await readHead(file, 8192).catch(() => Buffer.alloc(0));
  const head = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return head.includes("<rss") && head.includes("wordpress.org/export/");
}

/** The names of fields vary only in their prefix, which is that of the version. */
const fieldOf = (element: Element): string => (element.name === "excerpt:encoded" ? "excerpt" : localOf(element));

function toEntry(element: Element): WXREntry | null {
  const name = localOf(element);
  const field = (key: string): string => element.children.findLast((one) => localOf(one) === key)?.text.trim() ?? "";
  const login = field("author_login");
  if (name === "item") return { kind: "item", item: toItem(element.children) };
  if (name === "base_blog_url" || name === "link" || name === "base_site_url")
    return { kind: "base", name, url: element.text.trim() };
  if (name === "author" && login !== "") {
    const [id, email, shown] = [field("author_id"), field("author_email"), field("author_display_name") || login];
    return { kind: "author", author: { id, login, email, name: shown } };
  }
  const isCategory = name === "category";
  if (!isCategory && name !== "tag") return null;
  const term: WXRTerm = {
    domain: name,
    nicename: field(isCategory ? "category_nicename" : "tag_slug"),
    parent: isCategory ? field("category_parent") : "",
    name: field(isCategory ? "cat_name" : "tag_name"),
  };
  return term.nicename !== "" && term.name !== "" ? { kind: "term", term } : null;
}

function toItem(elements: Element[]): WXRItem {
  const texts = readTexts(itemFields, elements);
  const item: WXRItem = { ...texts, terms: [], meta: new Map(), comments: [] };
  for (const element of elements) {
    const { attributes, text, children } = element;
    const name = fieldOf(element);
    if (name === "comment") item.comments.push(readTexts(commentFields, children));
    else if (name === "postmeta") {
      const { key, value } = readTexts({ meta_key: "key", meta_value: "value" } as const, children);
      item.meta.set(key, value);
    } else if (name === "category") {
      const { domain = "", nicename = "" } = attributes;
      item.terms.push({ domain, nicename, name: text.trim() });
    }
  }
  // Some programs number nothing.
  return { ...item, id: item.id || item.link || item.title };
}

/** The texts of these fields; "" for what is missing. */
function readTexts<Fields extends Record<string, string>>(fields: Fields, elements: Element[]): Texts<Fields> {
  const texts = Object.fromEntries(Object.values(fields).map((key) => [key, ""]));
  for (const element of elements) {
    const name = fieldOf(element);
    if (Object.hasOwn(fields, name)) texts[fields[name] as string] = element.text.trim();
  }
  return texts as Texts<Fields>;
}
