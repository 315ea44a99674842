import type PhotoSwipe from "photoswipe";
import type { LightboxTexts } from "./lightbox-texts.ts";

/** An icon of 24 × 24 in lines. */
export const iconOf = (path: string): string =>
  `<svg class="pswp__icn pswp__lines" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;

/** To copy the address of the photo, to download it where that is allowed, and to open its page. */
export function addButtons(box: PhotoSwipe, links: HTMLAnchorElement[], texts: LightboxTexts): void {
  const status = document.createElement("p");
  status.role = "status";
  status.className = "pswp__status";
  let timer = 0;
  const say = (text: string) => {
    status.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => (status.textContent = ""), 4000);
  };
  box.on("uiRegister", () => {
    box.element?.append(status);
    // Without HTTPS, browsers do not let a page write to the clipboard.
    if (navigator.clipboard) {
      box.ui?.registerElement({
        name: "copy",
        order: 13,
        isButton: true,
        title: texts.copy,
        html: iconOf(
          "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7m2 3a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17",
        ),
        onClick: () =>
          void navigator.clipboard.writeText(location.href).then(
            () => say(texts.copied),
            () => say(texts.notCopied),
          ),
      });
    }
    addLink("download", 14, "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14");
    addLink("page", 15, "M12 11v5.5m0-9v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0");
  });
  box.on("destroy", () => clearTimeout(timer));

  function addLink(name: "download" | "page", order: number, path: string): void {
    box.ui?.registerElement({
      name,
      order,
      isButton: true,
      tagName: "a",
      title: texts[name],
      html: iconOf(path),
      onInit(element) {
        const button = element as HTMLAnchorElement;
        if (name === "download") button.download = "";
        box.on("change", () => {
          const link = links[box.currIndex];
          const url = name === "download" ? link?.dataset["download"] : link?.href;
          button.hidden = !url;
          button.href = url ?? "";
        });
      },
    });
  }
}
