import { describe, expect, test } from "bun:test";
import type { Album } from "../../content/albums/album.ts";
import type { Post } from "../../content/blog/post.ts";
import type { Photo } from "../../content/photos/photo.ts";
import { createLinks } from "./links.ts";
import type { Visit } from "./page.ts";
import { albumHead, homeHead, listHead, pagerLinks, personHead, photoHead, postHead } from "./for-programs/head.tsx";

const hostile = `</script><script>alert("1")</script> & 'x'`;
const times = { createdAt: "2026-06-01T10:00:00.000Z", updatedAt: "2026-06-02T10:00:00.000Z" };
const photo = {
  id: 7,
  title: hostile,
  description: "",
  altText: "",
  tags: ["sea"],
  kind: "image",
  duration: null,
  takenAt: null,
  place: null,
  file: null,
  visibility: "public",
  variants: [
    { width: 640, height: 427, url: "/api/v1/photos/7/image?w=640&v=1" },
    { width: 1280, height: 853, url: "/api/v1/photos/7/image?w=1280&v=1" },
    { width: 1920, height: 1280, url: "/api/v1/photos/7/image?w=1920&v=1" },
  ],
  ...times,
} as unknown as Photo;
const post = {
  id: 3,
  title: hostile,
  slug: "a-week",
  excerpt: "Word ".repeat(100),
  tags: [],
  cover: null,
  visibility: "public",
  publishedAt: times.createdAt,
  ...times,
} as unknown as Post;
const album = {
  id: 2,
  name: hostile,
  description: "",
  visibility: "public",
  cover: photo,
  ...times,
} as unknown as Album;
const author = { username: "ada" };

const visit = (prefix = "") =>
  ({
    settings: { siteName: hostile, tagline: hostile, language: "pt-BR" },
    language: "en",
    links: createLinks(prefix),
    origin: "https://example.org",
    path: "/",
  }) as unknown as Visit;

const ada = {
  id: 1,
  username: "ada",
  displayName: hostile,
  about: hostile,
  links: [{ url: "https://example.org/?<script>" }],
  portrait: null,
  url: "/people/ada",
};
const print = (head: unknown) => String(head);
const dataOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? "null")["@graph"];
const metaOf = (text: string, name: string) =>
  new RegExp(`<meta property="${name}" content="([^"]*)"/>`).exec(text)?.[1];

describe("the head of a page", () => {
  test("no text of a user ends a script or an attribute", () => {
    const heads = [
      homeHead(visit(), null),
      postHead(visit(), post, author),
      photoHead(visit(), photo, author),
      albumHead(visit(), album, [photo], author),
      listHead(visit(), { path: "/blog", title: hostile, description: hostile, image: photo, feeds: ["posts"] }),
      personHead(visit(), ada),
    ].map(print);
    for (const text of heads) {
      expect(text.match(/<script/g)).toEqual(["<script"]);
      expect(dataOf(text)).toBeArray();
      expect(metaOf(text, "og:locale")).toBe("pt_BR");
      expect(text).toContain(`href="/feed.xml"`);
    }
    expect(dataOf(heads[1] as string)[0].headline).toBe(hostile);
  });

  test("a post without a cover has the picture of its title, others have a variant that is large enough", () => {
    const plain = print(postHead(visit(), post, author));
    expect(metaOf(plain, "og:image")).toBe("https://example.org/blog/a-week/card.png");
    expect(metaOf(plain, "og:description")?.length).toBeLessThanOrEqual(201);
    const covered = print(postHead(visit(), { ...post, cover: photo }, author));
    expect(metaOf(covered, "og:image")).toBe("https://example.org/api/v1/photos/7/image?w=1280&amp;v=1");
    expect(metaOf(covered, "og:image:width")).toBe("1280");
  });

  test("structured data names what the page shows", () => {
    const types = (head: unknown) => dataOf(print(head)).map((thing: { "@type": string }) => thing["@type"]);
    expect(types(homeHead(visit(), null))).toEqual(["WebSite"]);
    expect(types(postHead(visit(), post, null))).toEqual(["BlogPosting", "BreadcrumbList"]);
    expect(types(photoHead(visit(), photo, null))).toEqual(["ImageObject", "BreadcrumbList"]);
    expect(types(albumHead(visit(), album, [photo], null))).toEqual(["ImageGallery", "BreadcrumbList"]);
    expect(types(listHead(visit(), { path: "/blog", title: "Blog" }))).toEqual(["CollectionPage", "BreadcrumbList"]);
    expect(types(personHead(visit(), ada))).toEqual(["ProfilePage"]);
  });

  test("private records, drafts and pages behind a share link have none of it", () => {
    const later = "2199-01-01T00:00:00.000Z";
    for (const head of [
      postHead(visit(), { ...post, visibility: "private" }, author),
      postHead(visit(), { ...post, publishedAt: null }, author),
      postHead(visit(), { ...post, publishedAt: later }, author),
      photoHead(visit(), { ...photo, visibility: "private" }, author),
      albumHead(visit(), { ...album, visibility: "private" }, [photo], author),
      postHead(visit("/s/token"), post, author),
      photoHead(visit("/s/token"), photo, author),
      albumHead(visit("/s/token"), album, [photo], author),
      listHead(visit("/s/token"), { path: "/blog", title: "Blog" }),
    ]) {
      expect(head).toBeNull();
    }
    const own = { ...photo, id: 8, title: "zebrafinch", visibility: "private" as const };
    expect(print(albumHead(visit(), { ...album, cover: own }, [own, photo], author))).not.toContain("zebrafinch");
  });

  test("neighbours are linked where there are any", () => {
    expect(print(pagerLinks({ previous: null, next: "/blog?cursor=x" }))).toBe(
      `<link rel="next" href="/blog?cursor=x"/>`,
    );
  });
});
