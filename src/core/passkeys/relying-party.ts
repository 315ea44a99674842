import { Problem } from "../../platform/errors.ts";
import { type Exchange, originOf } from "../../platform/http/exchange.ts";

/** The site as browsers and passkeys know it. */
export type RelyingParty = { id: string; origin: string };

const isLocal = (hostname: string) => hostname === "localhost" || hostname.endsWith(".localhost");
const isAddress = (hostname: string) => /^[\d.]+$|^\[/.test(hostname);

/**
 * The address at which passkeys work, by the configuration alone: `local` means that there is none, so that they work on
 * this machine only. Null if they work nowhere.
 */
export function passkeyOrigin(baseURL: string): string | null {
  if (baseURL === "") return "local";
  const { protocol, hostname, origin } = new URL(baseURL);
  return (protocol === "https:" || isLocal(hostname)) && !isAddress(hostname) ? origin : null;
}

/**
 * Throws if passkeys do not work here. The Host header decides only whether this is the same machine: who can choose it
 * could otherwise have passkeys made for a site of their own.
 */
export function relyingPartyOf(exchange: Exchange): RelyingParty {
  const configured = passkeyOrigin(exchange.baseURL);
  if (configured === null) {
    throw new Problem(
      "conflict",
      `Passkeys need HTTPS and a host name: set BASE_URL to such an address, not ${exchange.baseURL}.`,
    );
  }
  const origin = configured === "local" ? originOf(exchange) : configured;
  const hostname = URL.parse(origin)?.hostname ?? "";
  if (configured === "local" && !isLocal(hostname)) {
    throw new Problem(
      "conflict",
      "Passkeys need the address of the site: set BASE_URL to it, such as https://photos.example.org.",
    );
  }
  const sender = exchange.request.headers.get("origin");
  if (sender !== null && sender !== origin) {
    throw new Problem("conflict", `Passkeys work only at ${origin}: open the site there.`);
  }
  return { id: hostname, origin };
}
