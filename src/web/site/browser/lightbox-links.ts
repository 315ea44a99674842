const links = ".photos > a:has(img)";

/** Opens photos of a list in the lightbox, which is loaded for the first of them. Without it, the link opens the page. */
export function openLightboxOnClick(): void {
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>(links) : null;
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    open(link);
  });
  const { pathname, search } = location;
  addEventListener("popstate", ({ state }: PopStateEvent) => {
    if (document.querySelector(".pswp")) return;
    const isHere = location.pathname === pathname && location.search === search;
    const link = state?.isLightbox && allLinks().find(({ href }) => href === location.href);
    if (link) open(link);
    // After a reload under the address of a photo, the browser goes back to the list without loading it.
    else if (!isHere) location.reload();
  });
}

const allLinks = () => [...document.querySelectorAll<HTMLAnchorElement>(links)];

function open(link: HTMLAnchorElement): void {
  import("./lightbox.ts").then(
    ({ openLightbox }) => openLightbox(link),
    () => location.assign(link.href),
  );
}
