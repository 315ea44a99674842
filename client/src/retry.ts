import type { VitrineError } from "./errors.ts";
import type { Retry } from "./types.ts";

/**
 * Whether the same request may succeed later: no response, too many requests, or a server that is not ready. Some endpoints
 * say that with the status 500.
 */
export function isTemporary({ status, code }: VitrineError): boolean {
  return code === "busy" || [0, 429, 502, 503, 504].includes(status);
}

/** Milliseconds to wait after this attempt; null if the server asks for more than the limit. */
export function delayAfter(error: VitrineError, attempt: number, retry: Retry): number | null {
  const { minDelay = 400, maxDelay = 30_000 } = retry;
  const longest = Math.min(maxDelay, minDelay * 2 ** (attempt - 1));
  // The random part keeps clients that failed together from coming back together.
  const usual = longest * (0.5 + Math.random() / 2);
  const asked = (error.retryAfter ?? 0) * 1000;
  return asked > maxDelay ? null : Math.max(usual, asked);
}

export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
