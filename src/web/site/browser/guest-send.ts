/** The outcome for a picture. `wait` is how many seconds the server asks for before the next attempt. */
type SendResult =
  | { isSent: true }
  | { isSent: false; wait: number }
  | { isSent: false; reason: "offline" | "ended" | "full" | "failed"; sentence?: string };

type Picture = { file: File; guestName: string; onProgress: (part: number) => void };

/** Sends one picture. `fetch` does not report how much of a body was sent. */
export function sendPicture(url: string, { file, guestName, onProgress }: Picture): Promise<SendResult> {
  const body = new FormData();
  if (guestName) body.set("guestName", guestName);
  body.set("file", file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => resolve(readAnswer(request)));
    request.addEventListener("error", () => resolve({ isSent: false, reason: "offline" }));
    request.send(body);
  });
}

function readAnswer(request: XMLHttpRequest): SendResult {
  const { status, response } = request;
  if (status === 201) return { isSent: true };
  if (status === 429) return { isSent: false, wait: Number(request.getResponseHeader("Retry-After") ?? 2) };
  if ([401, 403, 404].includes(status)) return { isSent: false, reason: "ended" };
  if (response?.code === "full") return { isSent: false, reason: "full" };
  // The sentence says what is wrong with this picture, or which limit of the link is reached.
  return { isSent: false, reason: "failed", ...(status === 400 && response?.error && { sentence: response.error }) };
}
