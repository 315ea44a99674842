import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { bytesOf, quadrants } from "../kit/files/pictures.ts";
import { type BadSource, write } from "./bad-source.ts";

const pipe = (path: string) => void Bun.spawnSync(["mkfifo", path]);

/** A folder with a good file, and what is wrong with it. */
const folder = (
  name: string,
  spoil: (path: string) => void | Promise<void>,
  rest: Omit<BadSource, "name" | "make"> = {},
) => ({
  name: `folder: ${name}`,
  async make(directory: string) {
    const path = join(directory, "source");
    mkdirSync(path);
    write(path, "good.txt", "good");
    await spoil(path);
    return path;
  },
  ...rest,
});

const deep = (levels: number) => Array.from({ length: levels }, (_, level) => `d${level}`).join("/");

export const folderCases: BadSource[] = [
  { name: "a socket", make: listen, isRefused: /cannot be imported: .*neither a file nor a directory/ },
  {
    name: "a pipe",
    make(directory) {
      pipe(join(directory, "pipe"));
      return join(directory, "pipe");
    },
    isRefused: /cannot be imported: .*neither a file nor a directory/,
  },
  { name: "a device", make: () => "/dev/zero", isRefused: /neither a file nor a directory/ },
  { name: "nothing", make: (directory) => join(directory, "missing"), isRefused: /cannot be imported: .*/ },
  { name: "an empty file", make: (directory) => write(directory, "x", ""), isRefused: /It is not a tar archive/ },
  {
    name: "a text",
    make: (directory) => write(directory, "x.txt", "a text ".repeat(500)),
    isRefused: /not a tar archive/,
  },
  {
    name: "a picture",
    make: async (directory) => write(directory, "x.jpg", await bytesOf(quadrants(9, 9).jpeg())),
    isRefused: /not a tar archive/,
  },
  { name: "an empty folder", make: (directory) => directory, taken: [] },
  { name: "the data of the site", make: (_, dataDir) => dataDir, isRefused: /is in the data directory of this site/ },
  {
    name: "a part of the data of the site",
    make: (_, dataDir) => join(dataDir, "blobs"),
    isRefused: /is in the data directory/,
  },
  {
    name: "a link to the data of the site",
    make(directory, dataDir) {
      symlinkSync(dataDir, join(directory, "link"));
      return join(directory, "link");
    },
    isRefused: /is in the data directory/,
  },
  folder(
    "links and a pipe in it",
    (path) => {
      symlinkSync(path, join(path, "loop"));
      symlinkSync("/nowhere", join(path, "nowhere"));
      pipe(join(path, "pipe"));
    },
    { refused: { loop: /symbolic link/, nowhere: /symbolic link/, pipe: /neither/ } },
  ),
  folder(
    "names with a line break and a backslash",
    (path) => {
      write(path, "line\nbreak", "x");
      write(path, "back\\slash", "x");
    },
    { refused: { "line\nbreak": /control characters/, "back\\slash": /must not contain/ } },
  ),
  folder(
    "70 levels",
    (path) => {
      mkdirSync(join(path, deep(70)), { recursive: true });
      write(join(path, deep(70)), "bottom", "x");
    },
    {
      refused: Object.fromEntries([
        ...Array.from({ length: 7 }, (_, more) => [deep(64 + more), /too deep/]),
        [`${deep(70)}/bottom`, /too deep/],
      ]),
    },
  ),
  folder(
    "50 levels of albums",
    async (path) => {
      mkdirSync(join(path, deep(50)), { recursive: true });
      write(join(path, deep(50)), "bottom.jpg", await bytesOf(quadrants(11, 9).jpeg()));
    },
    { options: { albums: "" }, taken: ["good.txt", `${deep(50)}/bottom.jpg`] },
  ),
  folder("paths of thousands of bytes", (path) => {
    const names = Array.from({ length: 12 }, (_, level) => `${level}${"w".repeat(240)}`).join("/");
    mkdirSync(join(path, names), { recursive: true });
    write(join(path, names), "far.txt", "x");
  }),
  folder(
    "more than the quota of its owner",
    (path) => {
      write(path, "large", "x".repeat(50_000));
    },
    { options: { owner: "bob" }, config: { QUOTA_BYTES: "20000" }, refused: { large: /over the limit of 20000/ } },
  ),
  folder(
    "pictures that are none",
    (path) => {
      write(path, "text.jpg", "not a picture");
      write(path, "cut.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
      write(path, "empty.heic", "");
    },
    { options: { photos: "" }, taken: ["good.txt", "text.jpg", "cut.png", "empty.heic"] },
  ),
];

/** A socket in the file system stays when the server that listens on it is closed without removing it. */
async function listen(directory: string): Promise<string> {
  const path = join(directory, "socket");
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  server.unref();
  return path;
}
