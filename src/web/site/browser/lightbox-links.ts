/** Opens photos of a list in the lightbox, which is loaded for the first of them. Without it, the link opens the page. */
export function openLightboxOnClick(): void {
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(".photos > a:has(img)") : null;
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    import("./lightbox.ts").then(
      ({ openLightbox }) => openLightbox(link),
      () => location.assign(link.href),
    );
  });
}
