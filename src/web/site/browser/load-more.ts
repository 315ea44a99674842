/** After this many pages, the visitor has to ask for the next one: otherwise the end of the page could not be reached. */
const maxPagesLoaded = 5;

const listBeforePager = "[data-list]:has(+ .pager)";

/** Adds the next page of a list to it when its end comes into view. `added` is called with the list. */
export function loadMore(added: (list: Element) => void): void {
  const pager = document.querySelector(".pager");
  const list = document.querySelector(listBeforePager);
  const next = pager?.querySelector<HTMLAnchorElement>('a[rel="next"]');
  if (!list || !pager || !next) return;
  let pages = 0;
  let isLoading = false;
  const end = new IntersectionObserver(
    (entries) => {
      if (pages < maxPagesLoaded && entries.some(({ isIntersecting }) => isIntersecting)) void load();
    },
    { rootMargin: "100%" },
  );
  end.observe(pager);
  pager.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.target.closest("a") !== next) return;
    event.preventDefault();
    pages = 0;
    void load();
  });

  async function load(): Promise<void> {
    if (isLoading || !next) return;
    isLoading = true;
    try {
      const response = await fetch(next.href);
      if (!response.ok) throw new Error(response.statusText);
      show(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch {
      // The link still works.
      end.disconnect();
      pages = maxPagesLoaded;
    }
    isLoading = false;
  }

  function show(page: Document): void {
    list?.append(...(page.querySelector(listBeforePager)?.children ?? []));
    const following = page.querySelector<HTMLAnchorElement>('.pager a[rel="next"]');
    pages++;
    if (following && next) {
      next.href = following.href;
      // The observer reports only changes: the end of a short page may still be in view.
      end.unobserve(pager as Element);
      end.observe(pager as Element);
    } else {
      end.disconnect();
      next?.remove();
    }
    if (list) added(list);
  }
}
