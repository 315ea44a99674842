import PhotoSwipe, { type SlideData } from "photoswipe";
import styles from "photoswipe/photoswipe.css" with { type: "text" };
import { followAddress } from "./lightbox-address.ts";
import { addButtons } from "./lightbox-buttons.ts";
import { addSlideshow } from "./lightbox-slideshow.ts";
import type { LightboxTexts } from "./lightbox-texts.ts";
import ownStyles from "./lightbox.css" with { type: "text" };

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles + ownStyles);
document.adoptedStyleSheets.push(sheet);

/** Shows the photo of a link, and the others of its list before and after it. The back button closes it. */
export function openLightbox(link: HTMLAnchorElement): void {
  const list = link.closest<HTMLElement>(".photos") as HTMLElement;
  const links = [...list.querySelectorAll<HTMLAnchorElement>(":scope > a:has(img)")];
  const texts = JSON.parse(list.dataset["texts"] ?? "{}") as LightboxTexts;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const box = new PhotoSwipe({
    dataSource: links.map(toSlide),
    index: links.indexOf(link),
    bgOpacity: 1,
    // The title and the data are below the photo.
    padding: { top: 0, bottom: 76, left: 0, right: 0 },
    showHideAnimationType: isStill ? "none" : "zoom",
    ...(isStill && { zoomAnimationDuration: 0 }),
    returnFocus: false,
    closeTitle: texts.close,
    zoomTitle: texts.zoom,
    arrowPrevTitle: texts.previous,
    arrowNextTitle: texts.next,
    errorMsg: texts.failed,
  });
  if (isStill) {
    box.next = () => box.goTo(box.currIndex + 1);
    box.prev = () => box.goTo(box.currIndex - 1);
  }
  addInfo(box, links, texts.page);
  addButtons(box, links, texts);
  if (links.length > 1) addSlideshow(box, texts);
  addVideos(box, links);
  becomeModal(box, texts.name);
  followAddress(box, links);
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

/** Below the photo: its title, as a link to its page, and its date, place and camera. */
function addInfo(box: PhotoSwipe, links: HTMLAnchorElement[], page: string): void {
  box.on("uiRegister", () => {
    box.ui?.registerElement({
      name: "info",
      order: 9,
      appendTo: "root",
      onInit(info) {
        const caption = document.createElement("a");
        caption.className = "pswp__caption";
        caption.title = page;
        const facts = document.createElement("p");
        caption.dir = facts.dir = "auto";
        info.append(caption, facts);
        info.setAttribute("aria-live", "polite");
        box.on("change", () => {
          const link = links[box.currIndex];
          caption.href = link?.href ?? "";
          caption.textContent = link?.dataset["caption"] ?? "";
          facts.textContent = link?.dataset["facts"] ?? "";
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

/** Nothing behind it can be reached, neither by keyboard nor by a screen reader. */
function becomeModal(box: PhotoSwipe, name: string): void {
  const behind = [...document.body.children].filter((element) => element instanceof HTMLElement);
  box.on("initialLayout", () => {
    box.element?.setAttribute("aria-modal", "true");
    box.element?.setAttribute("aria-label", name);
    box.scrollWrap?.setAttribute("aria-label", name);
    for (const element of behind) element.inert = true;
  });
  box.on("destroy", () => {
    for (const element of behind) element.inert = false;
  });
}
