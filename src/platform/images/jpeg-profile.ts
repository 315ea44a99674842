/** The maximum number of profile bytes in one segment, besides its name, number and count. */
const maxInSegment = 65_519;

/** The JPEG with a colour profile in segments after its first one, as the ICC specification defines. */
export function withProfile(jpeg: Buffer, profile: Buffer): Buffer<ArrayBuffer> {
  const count = Math.ceil(profile.length / maxInSegment);
  const segments = Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * maxInSegment, (index + 1) * maxInSegment);
    const head = Buffer.from(`\xff\xe2\0\0ICC_PROFILE\0`, "latin1");
    head.writeUInt16BE(part.length + 16, 2);
    return Buffer.concat([head, Buffer.from([index + 1, count]), part]);
  });
  const firstEnd = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([jpeg.subarray(0, firstEnd), ...segments, jpeg.subarray(firstEnd)]);
}
