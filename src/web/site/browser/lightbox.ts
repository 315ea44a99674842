import PhotoSwipe, { type SlideData } from "photoswipe";
import styles from "photoswipe/photoswipe.css" with { type: "text" };
import ownStyles from "./lightbox.css" with { type: "text" };

type Texts = { close: string; zoom: string; previous: string; next: string; failed: string; page: string };

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles + ownStyles);
document.adoptedStyleSheets.push(sheet);

/** Shows the photo of a link, and the others of its list before and after it. The back button closes it. */
export function openLightbox(link: HTMLAnchorElement): void {
  const list = link.closest<HTMLElement>(".photos") as HTMLElement;
  const links = [...list.querySelectorAll<HTMLAnchorElement>(":scope > a:has(img)")];
  const texts = JSON.parse(list.dataset["texts"] ?? "{}") as Texts;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const box = new PhotoSwipe({
    dataSource: links.map(toSlide),
    index: links.indexOf(link),
    bgOpacity: 1,
    // The title stands below the photo.
    padding: { top: 0, bottom: 56, left: 0, right: 0 },
    showHideAnimationType: isStill ? "none" : "zoom",
    ...(isStill && { zoomAnimationDuration: 0 }),
    closeTitle: texts.close,
    zoomTitle: texts.zoom,
    arrowPrevTitle: texts.previous,
    arrowNextTitle: texts.next,
    errorMsg: texts.failed,
  });
  addCaption(box, links, texts.page);
  addVideos(box, links);
  closeWithBackButton(box);
  box.on("destroy", () => links[box.currIndex]?.focus({ preventScroll: true }));
  box.init();
}

function toSlide(link: HTMLAnchorElement): SlideData {
  const image = link.querySelector("img") as HTMLImageElement;
  const sources = image.srcset.split(", ");
  return {
    ...(link.dataset["video"] ? { type: "video" } : { srcset: image.srcset }),
    src: (sources.at(-1) ?? "").split(" ")[0],
    width: Number(image.getAttribute("width")),
    height: Number(image.getAttribute("height")),
    msrc: image.currentSrc,
    alt: image.alt,
    element: link,
    thumbCropped: true,
  };
}

/** The title below the photo, as a link to its page. */
function addCaption(box: PhotoSwipe, links: HTMLAnchorElement[], page: string): void {
  box.on("uiRegister", () => {
    box.ui?.registerElement({
      name: "caption",
      tagName: "a",
      order: 9,
      appendTo: "root",
      onInit(element) {
        const caption = element as HTMLAnchorElement;
        caption.title = page;
        caption.dir = "auto";
        box.on("change", () => {
          const link = links[box.currIndex];
          caption.href = link?.href ?? "";
          caption.textContent = link?.dataset["caption"] ?? "";
        });
      },
    });
  });
}

/** A video plays while its slide is shown. */
function addVideos(box: PhotoSwipe, links: HTMLAnchorElement[]): void {
  box.on("contentLoad", (event) => {
    const { content } = event;
    if (content.type !== "video") return;
    event.preventDefault();
    const video = document.createElement("video");
    video.controls = true;
    video.playsInline = true;
    video.preload = "none";
    video.poster = content.data.msrc ?? "";
    video.src = links[content.index]?.dataset["video"] ?? "";
    const slide = document.createElement("div");
    slide.className = "pswp__video";
    slide.append(video);
    content.element = slide;
    content.onLoaded();
  });
  box.on("contentDeactivate", ({ content }) => {
    content.element?.querySelector("video")?.pause();
  });
}

function closeWithBackButton(box: PhotoSwipe): void {
  let isLeft = false;
  const close = () => {
    isLeft = true;
    box.close();
  };
  history.pushState({ isLightbox: true }, "");
  addEventListener("popstate", close, { once: true });
  box.on("destroy", () => {
    removeEventListener("popstate", close);
    if (!isLeft) history.back();
  });
}
