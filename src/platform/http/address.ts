import type { BlockList } from "node:net";

/**
 * The client's address, as a key for limits and logs. Forwarded addresses count only if the peer is a trusted proxy:
 * then it is the last address in the chain that is not itself a trusted proxy.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: BlockList | null): string {
  let address = plain(peer);
  if (!trusted || !forwardedFor) return address;
  const chain = forwardedFor.split(",").map((hop) => plain(hop.trim()));
  while (isTrusted(address, trusted)) {
    const next = chain.pop();
    if (!next || !isIP(next)) break;
    address = next;
  }
  return address;
}

let net: typeof import("node:net") | null = null;

/** The module is loaded when it is first used: most servers have no trusted proxies. */
function isIP(text: string): boolean {
  net ??= process.getBuiltinModule("node:net");
  return net.isIP(text) !== 0;
}

/** IPv6 addresses are grouped by /64, which is what one household gets. */
export function limitKey(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const groups = head ? head.split(":") : [];
  if (tail !== undefined) {
    const after = tail ? tail.split(":") : [];
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** An IPv4 address from an IPv6 socket is written as IPv4. */
function plain(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return trusted.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

/** Whether the peer is a proxy whose headers about the client are true. */
export function isTrustedProxy(peer: string, trusted: BlockList | null): boolean {
  return trusted !== null && isTrusted(plain(peer), trusted);
}
