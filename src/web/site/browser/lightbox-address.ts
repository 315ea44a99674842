import type PhotoSwipe from "photoswipe";

/**
 * While a photo is shown, the address is that of its page: it can be copied, and opening it shows the page. The back button
 * closes the lightbox. The link of the photo that was seen last has the focus afterwards.
 */
export function followAddress(box: PhotoSwipe, links: HTMLAnchorElement[]): void {
  const { title } = document;
  const siteName = title.split(" · ").at(-1) ?? "";
  let isLeft = false;
  const close = () => {
    isLeft = true;
    box.close();
  };
  box.on("change", () => {
    const link = links[box.currIndex];
    if (!link || isLeft) return;
    // By the forward button, the entry is there already.
    if (history.state?.isLightbox) history.replaceState({ isLightbox: true }, "", link.href);
    else history.pushState({ isLightbox: true }, "", link.href);
    document.title = [link.dataset["caption"], siteName].filter(Boolean).join(" · ");
  });
  addEventListener("popstate", close, { once: true });
  box.on("destroy", () => {
    removeEventListener("popstate", close);
    document.title = title;
    const link = links[box.currIndex];
    link?.focus({ preventScroll: true });
    // Going back restores where the page was scrolled to; the photo may be further down.
    const show = () => requestAnimationFrame(() => link?.scrollIntoView({ block: "nearest" }));
    if (isLeft) return void show();
    addEventListener("popstate", show, { once: true });
    history.back();
  });
}
