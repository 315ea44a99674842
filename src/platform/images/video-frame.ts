import { closeSync, openSync, readSync } from "node:fs";
import { busy } from "../errors.ts";
import { createKeyedQueue } from "../keyed-queue.ts";
import { headLength, typeOfBytes } from "./kinds.ts";
import { UnreadableImage } from "./unreadable.ts";

/** Takes a picture from a video, one video at a time. */
export type FrameReader = {
  /**
   * A JPEG of the first frame that is not black, from the last key frame in the first tenth of the video on. Fails with
   * UnreadableImage if there is none, and as busy if it cannot be read now.
   */
  read(path: string, milliseconds: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): void;
};

/** Only these formats are opened, by the first bytes of the file: no playlists, and nothing that refers to other files. */
const demuxers = new Map([
  ["video/mp4", "mov"],
  ["video/quicktime", "mov"],
  ["video/webm", "matroska"],
  ["video/x-matroska", "matroska"],
]);

type FrameLimits = { processorSeconds: number; elapsedMilliseconds: number; maxBytes: number };

const usualLimits: FrameLimits = { processorSeconds: 20, elapsedMilliseconds: 120_000, maxBytes: 2 ** 24 };
const memoryKilobytes = 2 ** 21;
const closingMilliseconds = 1000;
const maxWaiting = 256;
const widest = 2560;
const latestSeconds = 30;
/** The frames in which one that is not black is looked for. */
const searchedSeconds = 5;
/** The mean brightness of a black frame, of 255. */
const black = 24;

/**
 * The system stops the program when it exceeds these limits, even if this process is gone. Like a decoder, it runs with a lower
 * priority and is killed first if memory runs out.
 */
const limitTo = (seconds: number) =>
  [
    "ulimit -c 0",
    `ulimit -S -t ${seconds}; ulimit -H -t ${seconds + 2}; ulimit -v ${memoryKilobytes}`,
    "{ echo 1000 >/proc/$$/oom_score_adj; } 2>/dev/null",
    'exec nice -n 10 "$@"',
  ].join("; ");

/** `program` is the path of ffmpeg; null if there is none. */
export function createFrameReader(program: string | null, limits: Partial<FrameLimits> = {}): FrameReader {
  const { processorSeconds, elapsedMilliseconds, maxBytes } = { ...usualLimits, ...limits };
  const limited = ["/bin/sh", "-c", limitTo(processorSeconds), "sh"];
  const inTurn = createKeyedQueue();
  let waiting = 0;
  let running: Bun.Subprocess | null = null;
  let isClosed = false;

  async function run(options: string[]): Promise<Uint8Array<ArrayBuffer> | null> {
    if (isClosed || !program) throw interrupted();
    const command = [program, "-nostdin", "-v", "quiet", ...options];
    const child = Bun.spawn(process.platform === "win32" ? command : [...limited, ...command], {
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      killSignal: "SIGKILL",
      maxBuffer: maxBytes,
    });
    running = child;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, elapsedMilliseconds);
    const output = new Response(child.stdout).arrayBuffer();
    const code = await child.exited;
    running = null;
    clearTimeout(timer);
    // A process that the program has started may keep its output open.
    const written = await Promise.race([output, Bun.sleep(closingMilliseconds)]);
    const bytes = new Uint8Array(written ?? new ArrayBuffer(0));
    const isKilled = child.signalCode === "SIGKILL" || child.signalCode === "SIGTERM";
    if (isClosed || (isKilled && !isLate && bytes.length < maxBytes)) throw interrupted();
    if (child.signalCode)
      throw new UnreadableImage("It takes too much to take a picture from this video: send a poster.");
    return code === 0 && bytes.length > 0 ? bytes : null;
  }

  async function read(path: string, milliseconds: number): Promise<Uint8Array<ArrayBuffer>> {
    const demuxer = demuxers.get(typeOfBytes(readHead(path)) ?? "");
    if (!demuxer) throw new UnreadableImage("Pictures cannot be taken from videos of this format: send a poster.");
    const at = Math.min(milliseconds / 10_000, latestSeconds).toFixed(3);
    const part = ["-noaccurate_seek", "-ss", at, "-t", String(searchedSeconds)];
    const input = ["-protocol_whitelist", "file", "-threads", "1", ...part, "-f", demuxer, "-i", `file:${path}`];
    const frame = (filter: string) =>
      run([...input, "-an", "-sn", "-dn", "-filter_threads", "1", "-vf", filter, "-frames:v", "1", ...asJPEG]);
    const bytes = (await frame(`${fromStart},fps=4,${scaled},${notBlack}`)) ?? (await frame(`${fromStart},${scaled}`));
    if (!bytes) throw new UnreadableImage("No picture can be taken from this video: send a poster.");
    return bytes;
  }

  return {
    async read(path, milliseconds) {
      if (!program)
        throw new UnreadableImage("The server has no ffmpeg to take a picture from a video: send a poster.");
      if (waiting >= maxWaiting) throw interrupted();
      waiting++;
      try {
        return await inTurn("video", () => read(path, milliseconds));
      } finally {
        waiting--;
      }
    },
    close() {
      isClosed = true;
      running?.kill("SIGKILL");
    },
  };
}

/** Frames before the wanted time are as good, and cost less: they count from 0. */
const fromStart = "setpts=PTS-STARTPTS";
/** With square pixels, in the range of JPEG. */
const scaled = `scale='max(2,min(${widest},iw*max(sar,1/16)))':-2:out_range=full,setsar=1,format=yuvj420p`;
const notBlack = `signalstats,metadata=mode=select:key=lavfi.signalstats.YAVG:function=greater:value=${black}`;
const asJPEG = ["-c:v", "mjpeg", "-q:v", "3", "-f", "mjpeg", "pipe:1"];

function readHead(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(headLength);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

const interrupted = () => busy("The server is working on other videos; try again in a moment.");
