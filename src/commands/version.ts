import type { Command } from "./command.ts";
import { ConfigError } from "../config.ts";
import { version } from "../platform/version.ts";

export const versionCommand: Command = {
  name: "version",
  summary: "print the version, and with --check whether there is a newer one",
  details:
    "With --check, it sends one request to the address in RELEASES_URL, which says nothing about this site. Nothing else sends that request.",
  options: {
    check: { summary: "ask which release is the newest" },
    from: { value: "URL", variable: "RELEASES_URL", summary: "the address to ask, instead of RELEASES_URL" },
  },
  async run({ config, options }) {
    console.log(version);
    if (options.check !== undefined) console.log(await checkRelease(config.releasesURL, config.allowPrivateWebhooks));
    return 0;
  },
};

/** What sends requests is loaded only here: it would delay every start. */
async function checkRelease(address: string | null, allowPrivate: boolean): Promise<string> {
  if (!address) throw new ConfigError("RELEASES_URL is not set: say with --from URL where releases are listed.");
  const { findNewerRelease } = await import("../platform/outgoing/newest-release.ts");
  const { PostError } = await import("../platform/outgoing/post.ts");
  try {
    const newer = await findNewerRelease(new URL(address), allowPrivate);
    return newer ? `There is a newer release: ${newer}.` : "There is no newer release.";
  } catch (error) {
    if (error instanceof PostError) throw new ConfigError(`RELEASES_URL could not be asked. ${error.message}`);
    throw error;
  }
}
