import { createHasher } from "../../platform/hash.ts";
import { Refusal } from "./refusal.ts";

const algorithms = { SHA256: "sha256", SHA1: "sha1", MD5: "md5" } as const;

/** What `OC-Checksum` says of the body, such as `SHA1:da39…`. Others than these are ignored. */
export function readChecksum(headers: Headers) {
  const [, name = "", wanted = ""] = /^\s*([\w-]+):([\da-f]+)\s*$/i.exec(headers.get("oc-checksum") ?? "") ?? [];
  const algorithm = algorithms[name.toUpperCase().replace("-", "") as keyof typeof algorithms] as
    (typeof algorithms)[keyof typeof algorithms] | undefined;
  const hasher = algorithm ? createHasher(algorithm) : null;
  return {
    async *watch(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of stream) {
        hasher?.update(chunk);
        yield chunk;
      }
    },
    /** Throws if the body was damaged on its way. */
    check(): void {
      if (hasher && hasher.digest("hex") !== wanted.toLowerCase())
        throw new Refusal(400, "The body does not have the checksum that OC-Checksum says: send it again.");
    },
  };
}
