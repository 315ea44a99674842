/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Album } from "../../../content/albums/album.ts";
import { isHidden, type PostHead } from "../../../content/blog/post.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import { shownName } from "../author.tsx";
import type { Visit } from "../page.ts";
import { type AlbumNames, nameOf } from "../photo-name.ts";
import { shortened } from "../shortened.ts";
import { commonTexts } from "../texts/common.ts";
import { webTexts } from "../texts/web.ts";
import { type CardImage, cardOfPhoto, cardPath, cardSize } from "./card-image.ts";
import {
  type Author,
  blogPosting,
  breadcrumbs,
  collectionPage,
  imageGallery,
  photoObject,
  profilePage,
  type Thing,
  webPage,
  webSite,
} from "./structured-data.ts";

/*
 * The elements in the head of pages for search engines, social networks and feed readers. Each function returns elements for
 * `View.head`. A page that others cannot open, because its record is private or behind a share link, has none of it.
 */

export function homeHead(visit: Visit, cover: Photo | null): Child {
  const { siteName, tagline } = visit.settings;
  const image = cardOfPhoto(visit, cover ?? visit.logo);
  return (
    <>
      <SocialCard
        visit={visit}
        path="/"
        title={siteName}
        description={tagline}
        image={image && { ...image, alt: cover?.altText || siteName }}
        isSmall={cover === null}
      />
      <StructuredData things={[webSite(visit)]} />
      <FeedLinks visit={visit} />
    </>
  );
}

/** `author` is the owner of the post. */
export function postHead(visit: Visit, post: PostHead, author: Author): Child {
  if (visit.links.prefix !== "" || isHidden(post)) return null;
  const t = commonTexts[visit.language];
  const path = visit.links.post(post);
  const image = cardOfPhoto(visit, post.cover) ?? cardOfPost(visit, post);
  const way = [
    [t.home, "/"],
    [t.blog, "/blog"],
    [post.title, path],
  ] as const;
  return (
    <>
      <SocialCard visit={visit} type="article" path={path} title={post.title} description={post.excerpt} image={image}>
        {post.publishedAt === null ? null : <Property name="article:published_time" content={post.publishedAt} />}
        <Property name="article:modified_time" content={post.updatedAt} />
        {author === null ? null : (
          <>
            <Property name="article:author" content={visit.origin + visit.links.person(author.username)} />
            <meta name="author" content={author.displayName ?? author.username} />
          </>
        )}
        {post.tags.map((tag) => (
          <Property name="article:tag" content={tag} />
        ))}
      </SocialCard>
      <StructuredData things={[blogPosting(visit, post, author, image), breadcrumbs(visit, way)]} />
      <FeedLinks visit={visit} feeds={["posts"]} />
      <EmbedLink visit={visit} path={path} title={post.title} />
    </>
  );
}

/** Of a page outside the blog. */
export function pageHead(visit: Visit, post: PostHead): Child {
  if (visit.links.prefix !== "" || isHidden(post)) return null;
  const path = visit.links.post(post);
  const image = cardOfPhoto(visit, post.cover) ?? cardOfPost(visit, post);
  const way = [
    [commonTexts[visit.language].home, "/"],
    [post.title, path],
  ] as const;
  return (
    <>
      <SocialCard visit={visit} path={path} title={post.title} description={post.excerpt} image={image} />
      <StructuredData things={[webPage(visit, post), breadcrumbs(visit, way)]} />
      <FeedLinks visit={visit} />
      <EmbedLink visit={visit} path={path} title={post.title} />
    </>
  );
}

export function photoHead(visit: Visit, photo: Photo, author: Author, albums?: AlbumNames): Child {
  if (visit.links.prefix !== "" || photo.visibility === "private") return null;
  const t = commonTexts[visit.language];
  const path = visit.links.photo(photo);
  const name = nameOf(photo, visit.language, albums);
  const way = [
    [t.home, "/"],
    [t.photos, "/photos"],
    [name, path],
  ] as const;
  return (
    <>
      <SocialCard
        visit={visit}
        type="article"
        path={path}
        title={name}
        description={photo.description || photo.altText}
        image={cardOfPhoto(visit, photo, albums)}
      />
      <StructuredData things={[photoObject(visit, photo, author, albums), breadcrumbs(visit, way)]} />
      <FeedLinks visit={visit} feeds={["photos"]} />
      <EmbedLink visit={visit} path={path} title={name} />
    </>
  );
}

/** `photos` are those on the page. */
export function albumHead(visit: Visit, album: Album, photos: readonly Photo[], author: Author): Child {
  if (visit.links.prefix !== "" || album.visibility === "private") return null;
  const t = commonTexts[visit.language];
  const path = visit.links.album(album);
  const shown = photos.filter(({ visibility }) => visibility === "public").slice(0, 20);
  const cover = [album.cover, ...shown].find((photo) => photo?.visibility === "public") ?? null;
  const way = [
    [t.home, "/"],
    [t.albums, "/albums"],
    [album.name, path],
  ] as const;
  return (
    <>
      <SocialCard
        visit={visit}
        path={path}
        title={album.name}
        description={album.description}
        image={cardOfPhoto(visit, cover)}
      />
      <StructuredData things={[imageGallery(visit, album, shown, author), breadcrumbs(visit, way)]} />
      <link rel="alternate" type="application/atom+xml" title={album.name} href={`${path}/feed.xml`} />
      <FeedLinks visit={visit} />
      <EmbedLink visit={visit} path={path} title={album.name} />
    </>
  );
}

type List = {
  /** The canonical path, and the heading of the page. */
  path: string;
  title: string;
  description?: string | undefined;
  image?: Photo | null;
  feeds?: FeedName[];
};

/** A page with a list: the blog, the photos, the albums, a tag. Pages after the first add `pagerLinks`. */
export function listHead(visit: Visit, { path, title, description, image = null, feeds = [] }: List): Child {
  if (visit.links.prefix !== "") return null;
  const t = commonTexts[visit.language];
  const way = [
    [t.home, "/"],
    [title, path],
  ] as const;
  return (
    <>
      <SocialCard visit={visit} path={path} title={title} description={description} image={cardOfPhoto(visit, image)} />
      <StructuredData things={[collectionPage(visit, path, title, description), breadcrumbs(visit, way)]} />
      <FeedLinks visit={visit} feeds={feeds} />
    </>
  );
}

export function personHead(visit: Visit, person: PublicPerson): Child {
  if (visit.links.prefix !== "") return null;
  const { username, about, portrait } = person;
  const path = visit.links.person(username);
  const name = shownName(person);
  const description = about || webTexts[visit.language].people(name);
  const picture = portrait?.variants.findLast(({ width }) => width <= 1280) ?? portrait?.variants.at(-1);
  const image = picture ? { ...picture, url: visit.origin + picture.url, alt: portrait?.altText || name } : null;
  return (
    <>
      <SocialCard visit={visit} type="profile" path={path} title={name} description={description} image={image}>
        <Property name="profile:username" content={username} />
      </SocialCard>
      <StructuredData things={[profilePage(visit, person)]} />
      <FeedLinks visit={visit} />
    </>
  );
}

/** The previous and the next page of a list, or the neighbours of a photo: paths with their queries, null for none. */
export function pagerLinks({ previous, next }: { previous: string | null; next: string | null }): Child {
  return (
    <>
      {previous === null ? null : <link rel="prev" href={previous} />}
      {next === null ? null : <link rel="next" href={next} />}
    </>
  );
}

type FeedName = "posts" | "photos";

/** The feeds of the whole site, after those that belong to this page. */
function FeedLinks({ visit, feeds = [] }: { visit: Visit; feeds?: FeedName[] }) {
  const t = webTexts[visit.language];
  const { siteName } = visit.settings;
  const own = { posts: [t.postFeed, "/blog/feed.xml"], photos: [t.photoFeed, "/photos/feed.xml"] } as const;
  return (
    <>
      {feeds.map((name) => (
        <link rel="alternate" type="application/atom+xml" title={`${siteName}: ${own[name][0]}`} href={own[name][1]} />
      ))}
      <link rel="alternate" type="application/atom+xml" title={`${siteName}: ${t.allFeed}`} href="/feed.xml" />
      <link rel="alternate" type="application/feed+json" title={`${siteName}: ${t.allFeed}`} href="/feed.json" />
    </>
  );
}

/** Where other sites learn how to show this page (oEmbed). */
function EmbedLink({ visit, path, title }: { visit: Visit; path: string; title: string }) {
  if (visit.isCopy) return null;
  const url = `${visit.origin}/oembed?url=${encodeURIComponent(visit.origin + path)}`;
  return <link rel="alternate" type="application/json+oembed" title={title} href={`${url}&format=json`} />;
}

type Social = {
  visit: Visit;
  path: string;
  title: string;
  type?: "website" | "article" | "profile";
  description?: string | undefined;
  image?: CardImage | null;
  /** Whether the picture is shown beside the text, such as a logo. */
  isSmall?: boolean;
  children?: Child;
};

/** What social networks and messengers show of a link: OpenGraph, and the little that X reads besides it. */
function SocialCard({ visit, path, title, type = "website", description, image = null, ...props }: Social) {
  const { isSmall = image === null, children } = props;
  const { settings, origin } = visit;
  const text = shortened(description ?? "");
  return (
    <>
      <Property name="og:type" content={type} />
      <Property name="og:title" content={title} />
      {text === "" ? null : <Property name="og:description" content={text} />}
      <Property name="og:url" content={origin + path} />
      <Property name="og:site_name" content={settings.siteName} />
      <Property name="og:locale" content={localeOf(settings.language)} />
      {image === null ? null : (
        <>
          <Property name="og:image" content={image.url} />
          <Property name="og:image:width" content={String(image.width)} />
          <Property name="og:image:height" content={String(image.height)} />
          <Property name="og:image:alt" content={image.alt} />
        </>
      )}
      {children}
      <meta name="twitter:card" content={isSmall ? "summary" : "summary_large_image"} />
    </>
  );
}

const Property = ({ name, content }: { name: string; content: string }) => <meta property={name} content={content} />;

const cardOfPost = ({ origin }: Visit, { slug, title }: PostHead): CardImage => ({
  url: origin + cardPath(slug),
  ...cardSize,
  alt: title,
});

/** Not a script that runs: the security policy of the page does not apply to it. */
function StructuredData({ things }: { things: Thing[] }) {
  const text = JSON.stringify({ "@context": "https://schema.org", "@graph": things });
  return <script type="application/ld+json">{raw(text.replaceAll("<", "\\u003c"))}</script>;
}

/** `en` as `en_US`: networks also want a country. */
function localeOf(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}
