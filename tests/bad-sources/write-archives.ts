import { crc32, deflateRawSync } from "node:zlib";

type Bytes = string | Uint8Array;
const toBuffer = (bytes: Bytes) => (typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes));

export type ZipEntry = {
  name: Bytes;
  data: Bytes;
  /** What the archive claims, if that is not the truth. */
  claims?: { crc?: number; size?: number; compressedSize?: number; method?: number; flags?: number; offset?: number };
  isDeflated?: boolean;
  /** The mode of a Unix file, such as 0o120777 for a symbolic link. */
  mode?: number;
};

/** A zip archive with whatever it claims. `count` is the number of entries that it claims to have. */
export function zipOf(entries: ZipEntry[], { count = entries.length, comment = "" } = {}): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, claims = {}, isDeflated = false, mode = 0 } of entries) {
    const plain = toBuffer(data);
    const stored = isDeflated ? deflateRawSync(plain) : plain;
    const nameBytes = toBuffer(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(claims.flags ?? 0x800, 2);
    common.writeUInt16LE(claims.method ?? (isDeflated ? 8 : 0), 4);
    common.writeUInt16LE(0x5a21, 8);
    common.writeUInt32LE(claims.crc ?? crc32(plain), 10);
    common.writeUInt32LE(claims.compressedSize ?? stored.length, 14);
    common.writeUInt32LE(claims.size ?? plain.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const head = Buffer.alloc(46);
    head.write("PK\x01\x02", "latin1");
    head.writeUInt16LE(mode ? 0x314 : 20, 4);
    common.copy(head, 6);
    head.writeUInt32LE((mode << 16) >>> 0, 38);
    head.writeUInt32LE(claims.offset ?? offset, 42);
    central.push(head, nameBytes);
    const before = [Buffer.from("PK\x03\x04", "latin1"), common, nameBytes, stored];
    local.push(...before);
    offset += before.reduce((sum, { length }) => sum + length, 0);
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...local, list, end, Buffer.from(comment)]);
}

export type TarEntry = {
  name: Bytes;
  data?: Bytes;
  type?: string;
  /** The field of the size as it is written, if that is not the truth. */
  size?: Bytes;
  hasBadChecksum?: boolean;
};

export function tarOf(entries: TarEntry[], { hasEnd = true } = {}): Buffer {
  const blocks = entries.flatMap(({ name, data = "", type = "0", size, hasBadChecksum = false }) => {
    const content = toBuffer(data);
    const head = Buffer.alloc(512);
    toBuffer(name).copy(head, 0, 0, 100);
    head.write("0000644\0", 100);
    const written = size ?? `${content.length.toString(8).padStart(11, "0")}\0`;
    toBuffer(written).copy(head, 124, 0, 12);
    head.write("14371573000\0", 136);
    head.write("        ", 148);
    head.write(type, 156, "latin1");
    head.write("ustar\u000000", 257);
    const sum = head.reduce((all, byte) => all + byte, 0) + (hasBadChecksum ? 1 : 0);
    head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [head, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(hasEnd ? 1024 : 0)]);
}

/** A record of a pax header: its length includes itself. */
export function pax(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = [1, 2, 3, 4, 5, 6, 7].find((digits) => String(bytes + digits).length === digits) ?? 1;
  return `${bytes + length}${rest}`;
}
