// Runs in the page that is measured.
globalThis.bench = {
  /** The share of frames that did not come in time while the page moves, at 60 frames per second. */
  scroll: (speed, seconds) =>
    new Promise((resolve) => {
      const frame = 1000 / 60;
      let [expected, shown] = [0, 0];
      const start = performance.now();
      let last = start;
      const move = (now) => {
        expected += Math.max(1, Math.round((now - last) / frame));
        shown++;
        scrollBy(0, (speed * Math.max(0, now - last)) / 1000);
        last = now;
        if (now - start < seconds * 1000) requestAnimationFrame(move);
        else resolve(1 - shown / expected);
      };
      requestAnimationFrame(move);
    }),

  /** Jumps to a part of the page, in percent. Returns the milliseconds until a picture of it is on the screen. */
  jump: (percent) =>
    new Promise((resolve) => {
      const start = performance.now();
      scrollTo(0, ((document.documentElement.scrollHeight - innerHeight) * percent) / 100);
      const look = () => {
        const isShown = [...document.querySelectorAll("[data-photo] img")].some((image) => {
          const { top } = image.getBoundingClientRect();
          return image.complete && image.naturalWidth > 0 && top > 0 && top < innerHeight;
        });
        if (isShown) resolve(performance.now() - start);
        else requestAnimationFrame(look);
      };
      // What is on the screen before the next frame belongs to where it was.
      requestAnimationFrame(() => requestAnimationFrame(look));
    }),

  /** Times from a key to the frame that shows its letter. */
  keyTimes: [],
  followKeys() {
    const follow = () => {
      const start = performance.now();
      requestAnimationFrame(() => setTimeout(() => this.keyTimes.push(performance.now() - start)));
    };
    addEventListener("keydown", follow, true);
  },

  /** Sends the files of an input as forms, several at once, without the studio. Returns the milliseconds that this takes. */
  async send(input, path) {
    const start = performance.now();
    const files = [...input.files];
    const sendOne = (file) =>
      new Promise((resolve, reject) => {
        const form = new FormData();
        form.set("path", path);
        form.set("file", file);
        const request = new XMLHttpRequest();
        request.open("POST", "/api/v1/files");
        request.onloadend = () => (request.status === 201 ? resolve() : reject(new Error(`Status ${request.status}`)));
        request.send(form);
      });
    const sendAll = async () => {
      for (let file = files.pop(); file; file = files.pop()) await sendOne(file);
    };
    await Promise.all(Array.from({ length: 5 }, sendAll));
    return performance.now() - start;
  },

  /** Milliseconds from the choice of files until the studio says that all of them are uploaded. */
  upload: (heading) =>
    new Promise((resolve) => {
      let start = 0;
      addEventListener("change", () => (start = performance.now()), { capture: true, once: true });
      const observer = new MutationObserver(() => {
        const isShown = [...document.querySelectorAll("h2")].some(({ textContent }) => textContent === heading);
        if (start === 0 || !isShown) return;
        observer.disconnect();
        resolve(performance.now() - start);
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    }),
};
