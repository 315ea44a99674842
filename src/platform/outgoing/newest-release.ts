import { version } from "../version.ts";
import { get, PostError } from "./post.ts";

const maxBytes = 2 ** 20;

/**
 * Asks once which release is the newest one, and returns its version, or null if this program is not older. The address is one
 * that answers as GitHub does for `releases/latest` of a repository, or as a registry of npm does for `latest` of a package.
 * Fails with a `PostError`.
 */
export async function findNewerRelease(url: URL, allowPrivate: boolean): Promise<string | null> {
  const headers = { Accept: "application/json", "User-Agent": "vitrine" };
  const { signal } = new AbortController();
  const { status, excerpt } = await get(url, { headers, maxBytes, allowPrivate, signal });
  if (status !== 200) throw new PostError(`${url.host} has answered with the status ${status}.`);
  const newest = readVersion(excerpt);
  if (!newest) throw new PostError(`${url.host} has not answered with a release.`);
  return Bun.semver.order(newest, version) > 0 ? newest : null;
}

function readVersion(text: string): string | null {
  try {
    const { tag_name: tag, version: published } = JSON.parse(text) as { tag_name?: unknown; version?: unknown };
    return /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})$/.exec(String(tag ?? published))?.[1] ?? null;
  } catch {
    return null;
  }
}
