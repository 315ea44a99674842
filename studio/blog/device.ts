import { api } from "../lib/api.ts";
import { type Clock, clock } from "../lib/clock.ts";
import { type Copies, copies } from "./copies.ts";
import { createPostRequests, type PostRequests } from "./post-requests.ts";

/** What an editor uses of the browser. */
type Device = {
  posts: PostRequests;
  copies: Pick<Copies, "keep" | "drop" | "hold">;
  clock: Clock;
  /** Calls these until the signal is aborted: when the tab is hidden or closed, and when the network is there again. */
  watch(handlers: { onHidden: () => void; onOnline: () => void }, signal: AbortSignal): void;
};

export const browser: Device = {
  posts: createPostRequests(api),
  copies,
  clock,
  watch({ onHidden, onOnline }, signal) {
    addEventListener("pagehide", onHidden, { signal });
    document.addEventListener("visibilitychange", () => document.hidden && onHidden(), { signal });
    addEventListener("online", onOnline, { signal });
  },
};
