import type PhotoSwipe from "photoswipe";
import { iconOf } from "./lightbox-buttons.ts";
import type { LightboxTexts } from "./lightbox-texts.ts";

const msPerPhoto = 5000;
const [playIcon, pauseIcon] = [iconOf("M8 5.5v13l10.5-6.5z"), iconOf("M8.5 6v12m7-12v12")];

/** A button and the space bar start and pause it; whatever else the visitor does ends it, and so does leaving the tab. */
export function addSlideshow(box: PhotoSwipe, texts: LightboxTexts): void {
  let timer = 0;
  let button: HTMLElement | null = null;
  const isPlaying = () => timer !== 0;
  const isButton = (target: EventTarget | null) => target instanceof Node && button?.contains(target) === true;

  box.on("uiRegister", () => {
    box.ui?.registerElement({
      name: "slideshow",
      order: 12,
      isButton: true,
      title: texts.play,
      html: playIcon,
      onInit: (element) => (button = element),
      onClick: toggle,
    });
  });
  box.on("change", () => {
    if (isPlaying()) wait();
  });
  box.on("keydown", ({ originalEvent }) => {
    const { key, target } = originalEvent;
    const isOnControl = target instanceof Element && target.closest("button, a, video") !== null;
    if (key === " " && !isOnControl) {
      originalEvent.preventDefault();
      toggle();
    } else if (!isButton(target) || !["Enter", " "].includes(key)) stop();
  });
  box.on("afterInit", () => {
    for (const type of ["pointerdown", "wheel"]) {
      box.element?.addEventListener(type, ({ target }) => isButton(target) || stop(), { capture: true, passive: true });
    }
    document.addEventListener("visibilitychange", stop);
  });
  box.on("close", stop);
  box.on("destroy", () => {
    stop();
    document.removeEventListener("visibilitychange", stop);
  });

  function toggle(): void {
    if (isPlaying()) stop();
    else {
      wait();
      show(true);
    }
  }

  function stop(): void {
    if (!isPlaying()) return;
    clearTimeout(timer);
    timer = 0;
    show(false);
  }

  /** A picture that is still being loaded gets the time again. */
  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(() => (box.currSlide?.content.isLoading() ? wait() : box.next()), msPerPhoto);
  }

  function show(isOn: boolean): void {
    const name = isOn ? texts.pause : texts.play;
    if (button) {
      button.innerHTML = isOn ? pauseIcon : playIcon;
      button.title = name;
      button.ariaLabel = name;
    }
    // A screen reader would be interrupted by every picture.
    box.element?.querySelector(".pswp__info")?.setAttribute("aria-live", isOn ? "off" : "polite");
  }
}
