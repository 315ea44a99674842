import type { BlockList } from "node:net";

/** Addresses and networks such as `10.0.0.0/8` or `loopback`; `wrong` is the first that is neither, or null. */
export function parseNetworks(text: string): { list: BlockList; wrong: string | null } {
  const { BlockList, isIP } = process.getBuiltinModule("node:net");
  const list = new BlockList();
  for (const item of text.split(/[\s,]+/).filter(Boolean)) {
    const [address = "", bits] = (item === "loopback" ? "127.0.0.0/8" : item).split("/");
    const family = isIP(address);
    const width = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (family === 0 || prefix < 0 || prefix > width) return { list, wrong: item };
    list.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
    if (item === "loopback") list.addAddress("::1", "ipv6");
  }
  return { list, wrong: null };
}
