import type { Blobs } from "../blobs/blobs.ts";
import { faults, reportDamage } from "../blobs/damage.ts";
import type { Decoder } from "../images/decoder.ts";
import { UnreadableImage } from "../images/unreadable.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "./metrics.ts";

const maxNamed = 1000;

/** The same blob store, with received bytes counted, and with missing and damaged blobs counted and each logged once. */
export function measureBlobs(blobs: Blobs, { contentReceived, blobFaults }: Metrics, log: Log): Blobs {
  const named = new Set<string>();
  for (const fault of faults) blobFaults({ fault });
  return {
    ...reportDamage(blobs, (sha256, fault) => {
      blobFaults({ fault }).value++;
      if (named.has(sha256) || named.size === maxNamed) return;
      named.add(sha256);
      log.error(`a stored file is ${fault}: "vitrine doctor --hash" names what uses it`, { sha256 });
    }),
    async receive(stream) {
      const received = await blobs.receive(stream);
      contentReceived.value += received.size;
      return received;
    },
  };
}

/** The same decoder, with its tasks counted. */
export function measureDecoder(decoder: Decoder, { gauge, decoderTasks }: Metrics): Decoder {
  gauge("vitrine_decoder_waiting", "Tasks waiting for a decoder process.")(() => decoder.load().waiting);
  gauge("vitrine_decoder_running", "Tasks running in a decoder process.")(() => decoder.load().running);
  for (const task of ["inspect", "measure", "scale", "icon", "draw", "frame"]) decoderTasks({ task, result: "failed" });

  function count<Result>(task: string, work: Promise<Result>): Promise<Result> {
    const end = (result: string) => void decoderTasks({ task, result }).value++;
    work.then(
      () => end("done"),
      (error) => end(error instanceof UnreadableImage ? "failed" : "refused"),
    );
    return work;
  }
  return {
    ...decoder,
    inspect: (path) => count("inspect", decoder.inspect(path)),
    measure: (...given) => count("measure", decoder.measure(...given)),
    scale: (...given) => count("scale", decoder.scale(...given)),
    icon: (path, side) => count("icon", decoder.icon(path, side)),
    draw: (drawing) => count("draw", decoder.draw(drawing)),
    readFrame: (path, milliseconds) => count("frame", decoder.readFrame(path, milliseconds)),
  };
}
