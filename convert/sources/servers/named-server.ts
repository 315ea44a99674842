import { invalid } from "../../../src/platform/errors.ts";
import type { Plan } from "../../../src/features/imports/plan.ts";
import { ServerGone } from "../../../src/features/imports/server-gone.ts";
import { findServer, parseServer } from "./find-server.ts";

type Named = NonNullable<Plan["server"]>;

/** Somebody waits for the answer. */
const checkMs = 15_000;

/** A server that an admin has named in a request, by its address as it is stored. */
export function tidyServer({ kind, url, username }: Named): Named {
  const found = parseServer(/^https?:/i.test(url.trim()) ? url.trim() : `https://${url.trim()}`);
  const user = username?.trim() || found.user;
  return { ...(kind && { kind }), url: found.url, ...(user && { username: user }) };
}

/** Opens it. It may be in the local network, but not where no server is. */
export const openNamed = ({ kind, url, username }: Named, key: string, signal: AbortSignal, isPatient = true) =>
  findServer(username ? url.replace("://", `://${encodeURIComponent(username)}@`) : url, key, {
    kind,
    signal,
    isGuarded: true,
    ...(!isPatient && { attempts: 1, timeoutMs: checkMs }),
  });

/** Throws a sentence for the person who has named the server if it does not respond, or refuses the key. */
export async function checkNamed(server: Named, key: string): Promise<void> {
  const signal = AbortSignal.timeout(checkMs);
  try {
    const kind = await openNamed(server, key, signal, false);
    await kind.check();
  } catch (error) {
    if (signal.aborted) throw invalid(`${new URL(server.url).host} has not responded in time.`, "server");
    throw error instanceof ServerGone ? invalid(error.message, error.isKeyRefused ? "key" : "server") : error;
  }
}
