import type { Album } from "../../../content/albums/album.ts";
import type { PostHead } from "../../../content/blog/post.ts";
import type { Photo } from "../../../content/photos/photo.ts";
import type { PublicPerson } from "../../../features/profiles/profile.ts";
import type { Visit } from "../page.ts";
import { type AlbumNames, nameOf } from "../photo-name.ts";
import type { CardImage } from "./card-image.ts";

/** An object in the vocabulary of schema.org. Fields that are undefined are left out. */
export type Thing = { "@type": string; [field: string]: unknown };

export type Author = (Pick<PublicPerson, "username"> & Partial<PublicPerson>) | null;

export function blogPosting(visit: Visit, post: PostHead, author: Author, image: CardImage | null): Thing {
  const url = visit.origin + visit.links.post(post);
  return {
    "@type": "BlogPosting",
    "@id": url,
    url,
    mainEntityOfPage: url,
    headline: post.title,
    description: post.excerpt || undefined,
    datePublished: post.publishedAt ?? undefined,
    dateModified: post.updatedAt,
    author: author ? person(visit, author) : undefined,
    publisher: { "@type": "Organization", name: visit.settings.siteName, url: `${visit.origin}/` },
    image: image ? { "@type": "ImageObject", url: image.url, width: image.width, height: image.height } : undefined,
    keywords: listed(post.tags),
    inLanguage: visit.settings.language,
  };
}

export function webPage(visit: Visit, post: PostHead): Thing {
  const url = visit.origin + visit.links.post(post);
  return {
    "@type": "WebPage",
    "@id": url,
    url,
    name: post.title,
    description: post.excerpt || undefined,
    dateModified: post.updatedAt,
    inLanguage: visit.settings.language,
  };
}

/** A video has what its poster shows as its thumbnail. */
export function photoObject(visit: Visit, photo: Photo, author: Author = null, albums?: AlbumNames): Thing {
  const url = visit.origin + visit.links.photo(photo);
  const [smallest, largest] = [photo.variants[0], photo.variants.at(-1)];
  const absolute = (path: string | undefined) => (path === undefined ? undefined : visit.origin + path);
  return {
    "@type": photo.kind === "video" ? "VideoObject" : "ImageObject",
    "@id": url,
    url,
    name: nameOf(photo, visit.language, albums),
    description: photo.description || undefined,
    caption: photo.altText || undefined,
    contentUrl: photo.kind === "video" ? absolute(photo.file?.url ?? undefined) : absolute(largest?.url),
    thumbnailUrl: absolute(smallest?.url),
    width: photo.kind === "video" ? photo.width : largest?.width,
    height: photo.kind === "video" ? photo.height : largest?.height,
    duration: photo.duration === null ? undefined : `PT${photo.duration}S`,
    uploadDate: photo.createdAt,
    dateModified: photo.updatedAt,
    dateCreated: photo.takenAt ?? undefined,
    creator: author ? person(visit, author) : undefined,
    contentLocation: photo.place?.name ? { "@type": "Place", name: photo.place.name } : undefined,
    keywords: listed(photo.tags),
  };
}

/** `photos` are those on the page. */
export function imageGallery(visit: Visit, album: Album, photos: readonly Photo[], author: Author): Thing {
  const url = visit.origin + visit.links.album(album);
  return {
    "@type": "ImageGallery",
    "@id": url,
    url,
    name: album.name,
    description: album.description || undefined,
    dateCreated: album.createdAt,
    dateModified: album.updatedAt,
    author: author ? person(visit, author) : undefined,
    image: photos.length > 0 ? photos.map((photo) => photoObject(visit, photo)) : undefined,
  };
}

export function collectionPage(visit: Visit, path: string, name: string, description: string | undefined): Thing {
  const url = visit.origin + path;
  return { "@type": "CollectionPage", "@id": url, url, name, description: description || undefined };
}

export function webSite({ origin, settings }: Visit): Thing {
  return {
    "@type": "WebSite",
    "@id": `${origin}/`,
    url: `${origin}/`,
    name: settings.siteName,
    description: settings.tagline || undefined,
    inLanguage: settings.language,
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={query}` },
      "query-input": "required name=query",
    },
  };
}

export function profilePage(visit: Visit, author: NonNullable<Author>): Thing {
  return { "@type": "ProfilePage", mainEntity: person(visit, author) };
}

function person({ origin, links }: Visit, author: NonNullable<Author>): Thing {
  const { username, displayName, about, portrait } = author;
  const pages = (author.links ?? []).flatMap(({ url }) => (/^https?:/i.test(url) ? [url] : []));
  const picture = portrait?.variants.at(-1);
  return {
    "@type": "Person",
    name: displayName ?? username,
    alternateName: displayName ? username : undefined,
    url: origin + links.person(username),
    description: about || undefined,
    image: picture ? origin + picture.url : undefined,
    sameAs: pages.length > 0 ? pages : undefined,
  };
}

/** The way from the front page to this one, each step with its path. */
export function breadcrumbs({ origin }: Visit, steps: readonly (readonly [name: string, path: string])[]): Thing {
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map(([name, path], index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: origin + path,
    })),
  };
}

const listed = (words: readonly string[]) => (words.length > 0 ? words.join(", ") : undefined);
