import { crc32, gzipSync } from "node:zlib";
import type { BadSource } from "./bad-source.ts";
import { write } from "./bad-source.ts";
import { pax, type TarEntry, tarOf, type ZipEntry, zipOf } from "./write-archives.ts";

type Rest = Omit<BadSource, "name" | "make">;
const good = { name: "good.txt", data: "good" };

/** Beside a good file. */
const zip = (name: string, entries: ZipEntry[], rest: Rest = {}): BadSource => ({
  name: `zip: ${name}`,
  make: (directory) => write(directory, "x.zip", zipOf([...entries, good])),
  ...rest,
});
const zipBytes = (name: string, bytes: () => Uint8Array, rest: Rest): BadSource => ({
  name: `zip: ${name}`,
  make: (directory) => write(directory, "x.zip", bytes()),
  ...rest,
});
const tar = (name: string, entries: TarEntry[], rest: Rest = {}): BadSource => ({
  name: `tar: ${name}`,
  make: (directory) => write(directory, "x.tar", tarOf([good, ...entries])),
  ...rest,
});
const tarBytes = (name: string, file: string, bytes: () => Uint8Array, rest: Rest): BadSource => ({
  name: `tar: ${name}`,
  make: (directory) => write(directory, file, bytes()),
  ...rest,
});

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 2 ** 20);
const damaged = /^The archive is damaged: what follows cannot be read\.$/;
const long = `${"n".repeat(300)}.txt`;

export const archiveCases: BadSource[] = [
  zipBytes("cut in the middle", () => zipOf([good, good]).subarray(0, 60), {
    isRefused: /x\.zip cannot be imported: It is not a whole zip archive: /,
  }),
  zipBytes("without anything in it", () => zipOf([]), { taken: [] }),
  zip("with a wrong checksum", [{ name: "bad", data: "x", claims: { crc: 7 } }], {
    refused: { bad: /checksum is wrong/ },
  }),
  zip(
    "whose file is longer than it says",
    [{ name: "bad", data: "x".repeat(5000), isDeflated: true, claims: { size: 5 } }],
    {
      refused: { bad: /^It is damaged: / },
    },
  ),
  zip("whose file is shorter than it says", [{ name: "bad", data: "xx", isDeflated: true, claims: { size: 5000 } }], {
    refused: { bad: /^It is damaged: / },
  }),
  zip("whose file becomes a thousand times as large", [{ name: "bomb", data: zeros(70), isDeflated: true }], {
    refused: { bomb: /more than 200 times as large/ },
  }),
  zipBytes(
    "whose files share their bytes",
    () =>
      zipOf([
        good,
        ...Array.from({ length: 500 }, (_, n) => ({
          name: `copy-${n}`,
          data: n === 0 ? zeros(1) : "",
          isDeflated: true,
          ...(n > 0 && { claims: { offset: 42, size: 2 ** 20, compressedSize: 1035, crc: crc32(zeros(1)) } }),
        })),
      ]),
    { refused: { "x.zip": /claims more bytes than the archive has/ }, isRepeated: false },
  ),
  zip("in a zip in a zip", [{ name: "inner.zip", data: zipOf([{ name: "inner.zip", data: zipOf([good]) }]) }], {
    taken: ["good.txt", "inner.zip"],
  }),
  zipBytes("that claims to have thousands of entries", () => zipOf([good], { count: 60_000 }), {
    refused: { "x.zip": /^Its list of contents is damaged: / },
  }),
  zipBytes("with other bytes before it", () => Buffer.concat([Buffer.from("PK and more"), zipOf([good])]), {
    refused: { "x.zip": /^Its list of contents is damaged: / },
    taken: [],
  }),
  zip(
    "with two files of one name",
    [
      { name: "twice", data: "1" },
      { name: "twice", data: "2" },
    ],
    {
      refused: { "twice (2)": /already a/ },
      taken: ["twice", "good.txt"],
    },
  ),
  zip(
    "with one file twice",
    [
      { name: "same", data: "1" },
      { name: "same", data: "1" },
    ],
    { taken: ["same"] },
  ),
  zip(
    "with a file and a directory of one name",
    [
      { name: "both", data: "1" },
      { name: "both/inside", data: "2" },
    ],
    {
      refused: { "both/inside": /leads through/ },
    },
  ),
  zip("with a name that leads out of it", [{ name: "a/../../out", data: "x" }], {
    refused: { "a/../../out": /contains "\.\."/ },
  }),
  zip("with an absolute name", [{ name: "/etc/passwd", data: "x" }], { refused: { "/etc/passwd": /is absolute/ } }),
  zip("with a drive letter", [{ name: "C:\\Windows\\x", data: "x" }], { refused: { "C:/Windows/x": /is absolute/ } }),
  zip("with backslashes that lead out of it", [{ name: "..\\..\\out", data: "x" }], {
    refused: { "../../out": /contains "\.\."/ },
  }),
  zip("with a name of 300 bytes", [{ name: long, data: "x" }], { refused: { [long]: /at most 255 bytes/ } }),
  zip("with control characters in a name", [{ name: "a\u001b[31m\n.txt", data: "x" }], {
    refused: { "a\u001b[31m\n.txt": /control characters/ },
  }),
  zip("with NUL in a name", [{ name: "a\0b", data: "x" }], { refused: { "a\0b": /NUL/ } }),
  zip("with a name that is not UTF-8", [{ name: Buffer.from([0x66, 0xff, 0xfe]), data: "x" }], {
    refused: { "f\ufffd\ufffd": /not valid UTF-8/ },
  }),
  zip(
    "with a name in the letters of DOS",
    [{ name: Buffer.from([0x81, 0x2e, 0x74]), data: "x", claims: { flags: 0 } }],
    {
      taken: ["ü.t"],
    },
  ),
  zip(
    "with names that differ in case only",
    [
      { name: "Case", data: "1" },
      { name: "case", data: "2" },
    ],
    {
      refused: { case: /already a/ },
    },
  ),
  zip(
    "with names that differ in their accents' encoding only",
    [
      { name: "caf\u00e9", data: "1" },
      { name: "cafe\u0301", data: "2" },
    ],
    {
      refused: { "cafe\u0301": /already a/ },
    },
  ),
  zip("with a symbolic link", [{ name: "link", data: "/etc/passwd", mode: 0o120777 }], {
    refused: { link: /symbolic link/ },
  }),
  zip("with a device", [{ name: "device", data: "", mode: 0o020666 }], { refused: { device: /neither a file nor/ } }),
  zip(
    "with an encrypted file",
    [{ name: "secret", data: "x".repeat(20), claims: { flags: 0x801, compressedSize: 32 } }],
    {
      refused: { secret: /encrypted/ },
    },
  ),
  zip("compressed in an unknown way", [{ name: "odd", data: "x", claims: { method: 99 } }], {
    refused: { odd: /not supported/ },
  }),
  zip("with a file beyond its end", [{ name: "far", data: "x", claims: { offset: 4_000_000_000 } }], {
    refused: { far: /^It is damaged: / },
  }),
  zip("with 2,000 levels", [{ name: `${"d/".repeat(2000)}f`, data: "x" }], {
    refused: { [`${"d/".repeat(2000)}f`]: /too deep/ },
  }),
  zip(
    "with names of dots and slashes",
    [
      { name: "./", data: "" },
      { name: "//", data: "" },
      { name: ".", data: "x" },
    ],
    {
      refused: { "//": /is absolute/ },
    },
  ),

  tarBytes(
    "cut in a file",
    "x.tar",
    () => tarOf([good, { name: "cut", data: "x".repeat(5000) }], { hasEnd: false }).subarray(0, 3000),
    {
      refused: { cut: /^It is cut off\.$/ },
    },
  ),
  tarBytes(
    "cut and compressed",
    "x.tgz",
    () =>
      gzipSync(tarOf([good, { name: "cut", data: crypto.getRandomValues(new Uint8Array(9000)) }])).subarray(0, -900),
    {
      refused: { cut: /^It is cut off\.$/, "x.tgz": /^It is cut off or damaged: / },
    },
  ),
  tarBytes(
    "that becomes a thousand times as large",
    "x.tgz",
    () => gzipSync(tarOf([good, { name: "bomb", data: zeros(100) }])),
    {
      refused: { bomb: /^It is cut off\.$/, "x.tgz": /much larger than/ },
    },
  ),
  tarBytes("with nothing in it", "x.tar", () => tarOf([]), { isRefused: /It is not a tar archive/ }),
  tar("with a wrong checksum", [{ name: "bad", hasBadChecksum: true }, { name: "lost" }], { refused: { "": damaged } }),
  tar("with a size of letters", [{ name: "bad", size: "zzzzzzzzzzz" }], { taken: ["good.txt", "bad"] }),
  tar("with a size beyond all numbers", [{ name: "huge", size: Buffer.alloc(12, 0xff) }], {
    refused: { huge: damaged },
  }),
  tar("with a hard link", [{ name: "link", type: "1" }], { refused: { link: /is a link/ } }),
  tar("with a symbolic link", [{ name: "link", type: "2" }], { refused: { link: /is a link/ } }),
  tar(
    "with devices and a pipe",
    [
      { name: "c", type: "3" },
      { name: "b", type: "4" },
      { name: "p", type: "6" },
    ],
    {
      refused: { c: /neither/, b: /neither/, p: /neither/ },
    },
  ),
  tar("with a sparse file", [{ name: "sparse", type: "S", data: "x" }], { refused: { sparse: /neither/ } }),
  tar(
    "with a long name that leads out of it",
    [{ name: "././@LongLink", type: "L", data: "../../out" }, { name: "out" }],
    {
      refused: { "../../out": /contains "\.\."/ },
    },
  ),
  tar(
    "with a long name of two megabytes",
    [{ name: "././@LongLink", type: "L", data: "n".repeat(2 * 2 ** 20) }, { name: "x" }],
    {
      refused: { "././@LongLink": damaged },
    },
  ),
  ...["-1024", "-99999", "NaN", "1e300", "0x10", ""].map((size) =>
    tar(
      `with a size "${size}" in a header of POSIX`,
      [{ name: "h", type: "x", data: pax("size", size) }, { name: "f" }],
      size === "0x10" || size === ""
        ? { taken: ["good.txt"] }
        : {
            refused: { f: damaged },
          },
    ),
  ),
  tar(
    "with a path of POSIX that leads out of it",
    [{ name: "h", type: "x", data: pax("path", "/abs/../x") }, { name: "f" }],
    {
      refused: { "/abs/../x": /is absolute/ },
    },
  ),
  tar(
    "with a header of POSIX whose length lies",
    [{ name: "h", type: "x", data: "999999 path=evil\n" }, { name: "f" }],
    {
      taken: ["good.txt", "evil"],
    },
  ),
];
