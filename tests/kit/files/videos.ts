import { readFileSync } from "node:fs";
import type { Bytes } from "./pictures.ts";

type Part = string | number[] | Uint8Array;

const bytesOf = (part: Part) =>
  typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part as number[]);
export const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
};

/** A box of an ISO media file. */
export function box(type: string, ...parts: Part[]): Buffer {
  const body = Buffer.concat(parts.map(bytesOf));
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, "latin1"), body]);
}

/** None of these may be public. */
export const videoSecrets = {
  place: "+38.7071-009.1355/",
  serial: "CAMERA-SERIAL-0815",
  owner: "OWNER-of-the-camera",
  track: "GPS-TRACK-38.70,-9.13",
  xmp: "XMP-of-the-video",
  gap: "HIDDEN-between-samples",
  behind: "HIDDEN-behind-the-video",
  preview: "PREVIEW-of-the-video",
};
export const secretsInVideo = (bytes: Uint8Array) =>
  Object.values(videoSecrets).filter((secret) => Buffer.from(bytes).includes(secret));

/** The pictures and the sound. */
export const samples = {
  video: ["video sample one", "video sample two"],
  sound: ["sound sample"],
  fragment: "fragment sample",
};

const handler = (type: string, name: string) => box("hdlr", uint32(0, 0), type, uint32(0, 0, 0), `${name}\0`);

function track(type: string, chunks: [offset: number, sizes: number[]][], more: Buffer[] = []): Buffer {
  const sizes = chunks.flatMap(([, list]) => list);
  const runs = chunks.flatMap(([, list], i) => [i + 1, list.length, 1]);
  const stbl = box(
    "stbl",
    box("stsd", uint32(0, 1), box(type === "vide" ? "avc1" : "mp4a", Buffer.alloc(28))),
    box("stts", uint32(0, 1, sizes.length, 1)),
    box("stsc", uint32(0, chunks.length, ...runs)),
    box("stsz", uint32(0, 0, sizes.length, ...sizes)),
    box("stco", uint32(0, chunks.length, ...chunks.map(([offset]) => offset))),
  );
  const link = box("dref", uint32(0, 1), box("alis", uint32(1), videoSecrets.owner));
  const minf = box("minf", box(type === "soun" ? "smhd" : "vmhd", uint32(0, 0)), box("dinf", link), stbl);
  const mdia = box("mdia", box("mdhd", Buffer.alloc(24)), handler(type, videoSecrets.serial), minf);
  return box("trak", box("tkhd", Buffer.alloc(84)), mdia, ...more);
}

/**
 * A video with a location everywhere cameras and phones write one; its header comes first or last. If it has fragments,
 * one of them contains one more sample.
 */
export function video({ brand = "isom", isHeaderLast = false, hasFragments = false, hasGPSTrack = true } = {}): Bytes {
  const { place, serial, owner, xmp, gap, behind, preview } = videoSecrets;
  const udta = box(
    "udta",
    box("\xa9xyz", place),
    box("loci", uint32(0), place),
    box("SNum", serial),
    box("thmb", preview),
  );
  const keys = box("keys", uint32(0, 1), uint32(8 + 41), "mdtacom.apple.quicktime.location.ISO6709");
  const meta = box("meta", handler("mdta", ""), keys, box("ilst", box("\0\0\0\x01", box("data", uint32(1, 0), place))));
  const uuid = box("uuid", "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac", xmp);
  const [one = "", two = ""] = samples.video;
  const [sound = ""] = samples.sound;
  const data = [one, videoSecrets.track, sound, gap, two, videoSecrets.track];
  const ftyp = box("ftyp", brand, uint32(512), "isomiso2mp41");
  const header = (start: number) => {
    const [a = 0, b = 0, c = 0, , d = 0, e = 0] = data.map((_, i) => start + data.slice(0, i).join("").length);
    const extra = [box("udta", box("name", owner)), box("meta", uint32(0), serial)];
    return box(
      "moov",
      box("mvhd", Buffer.alloc(100)),
      track(
        "vide",
        [
          [a, [one.length]],
          [d, [two.length]],
        ],
        extra,
      ),
      track("soun", [[c, [sound.length]]]),
      ...(hasGPSTrack
        ? [
            track("meta", [
              [b, [videoSecrets.track.length]],
              [e, [videoSecrets.track.length]],
            ]),
          ]
        : []),
      udta,
      meta,
      uuid,
    );
  };
  const mdat = box("mdat", data.join(""));
  const rest = [box("free", preview), box("uuid", xmp)];
  const start =
    ftyp.length + 8 + (isHeaderLast ? 0 : header(0).length + rest.reduce((sum, { length }) => sum + length, 0));
  const fragment = [box("moof", box("mfhd", uint32(0, 1)), box("udta", place)), box("mdat", samples.fragment)];
  const parts = isHeaderLast ? [ftyp, mdat, ...rest, header(start)] : [ftyp, header(start), ...rest, mdat];
  return new Uint8Array(
    Buffer.concat([...parts, ...(hasFragments ? fragment : []), box("Xtra", owner), Buffer.from(behind)]),
  );
}

const element = (id: number[], ...parts: Part[]): Buffer => {
  const body = Buffer.concat(parts.map(bytesOf));
  return Buffer.concat([Buffer.from(id), Buffer.from([0x40 | (body.length >> 8), body.length & 255]), body]);
};

/**
 * A WebM video with a location in its tags and an attached picture; `isLive` means as recorded by browsers, without
 * lengths.
 */
export function webm({ isLive = false, trackType = 1, type = "webm" } = {}): Bytes {
  const track = element([0xae], element([0xd7], [1]), element([0x83], [trackType]), element([0x86], "V_VP9"));
  const cluster = [element([0xe7], [0]), element([0xa3], [0x81, 0, 0, 0x80], samples.video[0] ?? "")];
  const tags = element([0x12, 0x54, 0xc3, 0x67], element([0x73, 0x73], `LOCATION ${videoSecrets.place}`));
  const segment = [
    element(
      [0x15, 0x49, 0xa9, 0x66],
      element([0x2a, 0xd7, 0xb1], [15, 66, 64]),
      element([0x73, 0x84], `${videoSecrets.owner}.webm`),
      element([0xec], videoSecrets.track),
    ),
    element([0x16, 0x54, 0xae, 0x6b], track),
    tags,
    isLive
      ? Buffer.concat([Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0xff]), ...cluster])
      : element([0x1f, 0x43, 0xb6, 0x75], ...cluster),
    element([0x19, 0x41, 0xa4, 0x69], element([0x61, 0xa7], videoSecrets.preview)),
    element([0xec], videoSecrets.serial),
  ];
  const unknown = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
  const body = isLive ? Buffer.concat([unknown, ...segment]) : element([0x18, 0x53, 0x80, 0x67], ...segment);
  const header = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], type));
  return new Uint8Array(Buffer.concat([header, body, Buffer.from(isLive ? "" : videoSecrets.behind)]));
}

/** Videos of 1.2 seconds and 96 × 64 pixels: black for 0.4 seconds, then four colours. Some contain a place. */
export const videoNames = [
  "plain.mp4",
  "place.mp4",
  "fragmented.mp4",
  "place.mov",
  "turned.mov",
  "place.webm",
  "live.webm",
  "place.mkv",
] as const;
export const placeInVideo = "38.7071";

/** `black.mp4` is black for a minute, and has a single key frame. */
export const readVideoFile = (name: (typeof videoNames)[number] | "black.mp4"): Bytes =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/videos/${name}`, import.meta.url)));

/** A JPEG with a video behind it, as Google's and Samsung's phones write it. */
export function motionPhoto(jpeg: Uint8Array, video: Uint8Array, phone: "google" | "samsung"): Bytes {
  if (phone === "samsung") {
    const block = Buffer.concat([Buffer.from("\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data", "latin1"), video]);
    const directory = Buffer.alloc(24);
    directory.write("SEFH", 0, "latin1");
    directory.writeUInt32LE(106, 4);
    directory.writeUInt32LE(1, 8);
    directory.writeUInt32LE(0x0a_30_00_00, 12);
    directory.writeUInt32LE(block.length, 16);
    directory.writeUInt32LE(block.length, 20);
    const end = Buffer.from("\x18\0\0\0SEFT", "latin1");
    return new Uint8Array(Buffer.concat([jpeg, block, directory, end]));
  }
  const items = `<Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li><Container:Item Item:Semantic="MotionPhoto" Item:Mime="video/mp4" Item:Length="${video.length}"/></rdf:li></rdf:Seq></Container:Directory>`;
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description GCamera:MotionPhoto="1" GCamera:MicroVideoOffset="${video.length}">${items}</rdf:Description></rdf:RDF></x:xmpmeta>`;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(xmp.length + 2);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1]), length, Buffer.from(xmp, "latin1")]);
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2), video]));
}
