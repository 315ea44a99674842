import { BlockList, isIP } from "node:net";

/** IPv4 networks that are not on the public internet (IANA special-purpose registry), multicast and reserved ones. */
const special4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
/** Of IPv6, only this network is public, except for parts that are for documentation or contain an IPv4 address. */
const global6 = "2000::/3";
const special6 = "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20";

/**
 * Where no server of a home or a company is: the metadata of clouds, the local link, several machines at once, and IPv6
 * addresses that stand for any IPv4 address.
 */
const never =
  "0.0.0.0/8 100.100.100.200/32 169.254.0.0/16 192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 ::/96 64:ff9b::a9fe:0/112 64:ff9b:1::/48 2002::/16 fd00:ec2::/32 fd20:ce::/32 fe80::/10 ff00::/8";

const [specialV4, globalV6, specialV6, neverList] = [special4, global6, special6, never].map(toList) as [
  BlockList,
  BlockList,
  BlockList,
  BlockList,
];

/** Whether a person may name this IP address as that of a server of theirs, at home or on the public internet. */
export function isServerAddress(address: string): boolean {
  if (address === "::1") return true;
  const family = isIP(address);
  return family !== 0 && !address.includes("%") && !neverList.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Whether an IP address is on the public internet: not this machine, a local network, or the metadata of a cloud. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address);
    case 6:
      // An address with a zone belongs to a local link.
      return !address.includes("%") && globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
    default:
      return false;
  }
}

function toList(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(" ")) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}
