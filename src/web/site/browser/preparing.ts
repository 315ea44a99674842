/* Shows pictures that are being prepared as soon as they are there, without loading the page again. */

type PhotoState = { isPreparing: boolean; variants: { width: number; height: number; url: string }[] };

const selector = "[data-preparing]";

/** An event says that a photo has changed. `ready` is also sent after a lost connection, in which events were missed. */
export function followPreparing(): void {
  const events = new EventSource("/api/v1/events");
  const look = () => void showReady().then((isDone) => isDone && events.close());
  for (const type of ["ready", "reload"]) events.addEventListener(type, look);
  events.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if ((JSON.parse(data) as { kind: string }).kind === "photo") look();
  });
}

/** Whether none is left. */
async function showReady(): Promise<boolean> {
  const waiting = [...document.querySelectorAll<HTMLElement>(selector)];
  await Promise.all(waiting.map((place) => showOne(place).catch(() => {})));
  return document.querySelector(selector) === null;
}

async function showOne(place: HTMLElement): Promise<void> {
  const url = place.dataset["preparing"] ?? "";
  const response = await fetch(url);
  if (!response.ok) return;
  const { isPreparing, variants } = (await response.json()) as PhotoState;
  const largest = variants.at(-1);
  if (isPreparing || !largest || !place.isConnected) return;
  // The addresses of a shared photo begin with those of its link.
  const prefix = url.slice(0, url.indexOf("/api/v1/"));
  const image = new Image(largest.width, largest.height);
  image.alt = place.getAttribute("aria-label") ?? "";
  image.className = place.className.replace("no-picture", "").trim();
  image.sizes = place.dataset["sizes"] ?? "";
  image.srcset = variants.map(({ url: variant, width }) => `${prefix}${variant} ${width}w`).join(", ");
  image.src = prefix + largest.url;
  place.replaceWith(image);
  image.closest(".stage")?.querySelector("[data-preparing-note]")?.remove();
}
