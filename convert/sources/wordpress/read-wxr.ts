import { SaxesParser } from "saxes";
import type { TreeFile } from "../../../src/platform/archives/tree.ts";
import { readHead } from "../files.ts";
import { createMender } from "./mend-xml.ts";

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
const emptyTexts = <Fields extends Record<string, string>>(fields: Fields) =>
  Object.fromEntries(Object.values(fields).map((key) => [key, ""])) as Texts<Fields>;
/** What the field of this name is called here. */
const fieldIn = <Fields extends object>(fields: Fields, name: string) =>
  Object.hasOwn(fields, name) ? fields[name as keyof Fields] : undefined;

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

const deepest = 64;
/** A text of more characters is cut, and one that never ends is not waited for. */
const longestText = 8_000_000;
const longestWait = 64_000_000;
const mostComments = 1_000_000;

/** Reads an export from its first to its last item. One that is cut off gives what is whole. */
export async function* readWXR(file: TreeFile): AsyncGenerator<WXREntry> {
  const entries: WXREntry[] = [];
  const parser = createParser((entry) => entries.push(entry));
  let decoder: TextDecoder | null = null;
  try {
    for await (const chunk of file.open()) {
      decoder ??= new TextDecoder(encodingOf(chunk));
      parser.write(decoder.decode(chunk, { stream: true }));
      yield* entries.splice(0);
    }
    parser.write(decoder?.decode() ?? "");
    parser.end();
  } catch (error) {
    entries.push({ kind: "damage", reason: (error as Error).message });
  }
  yield* entries;
}

/** Whether a file begins like an export. */
export async function isWXR(file: TreeFile): Promise<boolean> {
  const bytes = await readHead(file, 8192).catch(() => Buffer.alloc(0));
  const head = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return head.includes("<rss") && head.includes("wordpress.org/export/");
}

/** One of those that decoders know. */
function encodingOf(chunk: Uint8Array): "utf-8" | "utf-16le" {
  const head = Buffer.from(chunk.subarray(0, 200)).toString("latin1");
  if (head.startsWith("\xff\xfe")) return "utf-16le";
  const named = head.startsWith("\xfe\xff")
    ? "utf-16be"
    : (/^<\?xml[^>]{0,100}encoding=["']([\w-]{1,40})["']/.exec(head)?.[1] ?? "utf-8");
  try {
    return new TextDecoder(named as "utf-8").encoding as "utf-8";
  } catch {
    return "utf-8";
  }
}

/** Control characters, which no XML may have and some databases do. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function createParser(found: (entry: WXREntry) => void) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const reader = createReader(found);
  const mend = createMender();
  let waited = 0;
  let failure: string | null = null;
  const open: string[] = [];
  let text = "";
  const addText = (more: string) => {
    waited = 0;
    if (text.length < longestText) text += more;
  };
  parser.on("doctype", () => {
    throw new Error("It has a document type, which no export of WordPress has.");
  });
  // Unknown entities and the like stay as they are; where elements do not fit together, the first place is told.
  parser.on("error", (error) => {
    if (!/entity|character|char data/i.test(error.message)) failure ??= error.message;
  });
  parser.on("opentag", ({ name, attributes }) => {
    waited = 0;
    text = "";
    open.push(name);
    if (open.length > deepest) throw new Error("Its elements are nested too deeply.");
    reader.open(open, attributes);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ name }) => {
    waited = 0;
    reader.close(open, text);
    text = "";
    if (open.at(-1) === name) open.pop();
  });
  return {
    write(chunk: string): void {
      waited += chunk.length;
      if (waited > longestWait) throw new Error("One of its texts has no end.");
      parser.write(mend(chunk.replace(forbidden, "")));
    },
    end(): void {
      parser.write(mend(null));
      parser.close();
      if (failure !== null || open.length > 0)
        found({ kind: "damage", reason: `It is damaged or cut off: ${failure}` });
    },
  };
}

/** The names of fields vary only in their prefix, which is that of the version. */
const localOf = (name: string): string => {
  if (name === "excerpt:encoded") return "excerpt";
  return name.slice(name.indexOf(":") + 1);
};

function createReader(found: (entry: WXREntry) => void) {
  let item: WXRItem | null = null;
  let comment: WXRComment | null = null;
  let fields = new Map<string, string>();
  let term = { domain: "", nicename: "" };
  const field = (name: string): string => fields.get(name)?.trim() ?? "";

  return { open: begin, close: end };

  function begin(path: string[], attributes: Record<string, string>): void {
    const name = localOf(path.at(-1) ?? "");
    if (path.length === 3 && name === "item")
      item = { ...emptyTexts(itemFields), terms: [], meta: new Map(), comments: [] };
    else if (path.length === 3) fields = new Map();
    else if (path.length === 4 && item && name === "comment") comment = emptyTexts(commentFields);
    else if (path.length === 4 && item && name === "postmeta") fields = new Map();
    else if (path.length === 4 && item && name === "category")
      term = { domain: attributes["domain"] ?? "", nicename: attributes["nicename"] ?? "" };
  }

  function end(path: string[], text: string): void {
    const name = localOf(path.at(-1) ?? "");
    if (path.length === 3 && item) {
      // Some programs number nothing.
      item.id ||= item.link || item.title;
      found({ kind: "item", item });
      item = null;
    } else if (path.length === 3) endOfChannel(name, text);
    else if (path.length === 4 && item) endOfItem(item, name, text);
    else if (path.length === 5 && comment) {
      const key = fieldIn(commentFields, name);
      if (key) comment[key] = text.slice(0, 100_000).trim();
    } else if (path.length === 4 || path.length === 5) fields.set(name, text);
  }

  function endOfChannel(name: string, text: string): void {
    if (name === "base_blog_url" || name === "link" || name === "base_site_url")
      found({ kind: "base", name, url: text.trim() });
    if (name === "author" && field("author_login") !== "") {
      const login = field("author_login");
      const shown = field("author_display_name") || login;
      found({ kind: "author", author: { id: field("author_id"), login, email: field("author_email"), name: shown } });
    }
    if (name === "category")
      foundTerm({
        domain: "category",
        nicename: field("category_nicename"),
        parent: field("category_parent"),
        name: field("cat_name"),
      });
    if (name === "tag") foundTerm({ domain: "tag", nicename: field("tag_slug"), parent: "", name: field("tag_name") });
  }

  function foundTerm(one: WXRTerm): void {
    if (one.nicename !== "" && one.name !== "") found({ kind: "term", term: one });
  }

  function endOfItem(one: WXRItem, name: string, text: string): void {
    const key = fieldIn(itemFields, name);
    if (name === "comment" && comment) {
      if (one.comments.length < mostComments) one.comments.push(comment);
      comment = null;
    } else if (name === "postmeta") one.meta.set(field("meta_key"), field("meta_value"));
    else if (name === "category") one.terms.push({ ...term, name: text.trim() });
    else if (key) one[key] = key === "content" || key === "excerpt" ? text : text.trim();
  }
}
