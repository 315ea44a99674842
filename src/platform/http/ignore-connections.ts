import { dlopen, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";

const SOL_SOCKET = 1;
const SO_ATTACH_FILTER = 26;
const libraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

/** A packet filter, which sees the TCP header. It drops packets that ask for a new connection: SYN without ACK. */
const instructions = [
  [0x30, 13], // load the byte that holds the flags
  [0x54, 0x12], // keep SYN and ACK
  [0x01_00_00_15, 0x02], // unless only SYN is set, skip the next instruction
  [0x06, 0], // drop the packet
  [0x06, 0xff_ff_ff_ff], // pass the whole packet
];
const filter = new Uint32Array(instructions.flat());

/**
 * Tells the kernel to ignore new connections to this port; returns false where it cannot. Connections that are open or
 * wait to be accepted are not affected, so the server can still serve them before it closes the port. If it closed the
 * port first, the kernel would reset the waiting ones together with the requests already sent on them. A client whose
 * packet was dropped sends it again after a second and then finds the port closed. Linux only.
 */
export function ignoreNewConnections(port: number): boolean {
  const libc = process.platform === "linux" ? openLibc() : null;
  if (!libc) return false;
  const { getsockname, setsockopt } = libc.symbols;
  const address = new Uint8Array(128);
  const isOnPort = (fd: number) => {
    const size = new Uint32Array([address.length]);
    return getsockname(fd, ptr(address), ptr(size)) === 0 && ((address[2] ?? 0) << 8) + (address[3] ?? 0) === port;
  };
  // Accepted connections have the same port. The filter does not change anything for them.
  const sockets = readdirSync("/proc/self/fd").map(Number).filter(isOnPort);
  const program = new BigUint64Array([BigInt(instructions.length), BigInt(ptr(filter))]);
  const attach = (fd: number) => setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, ptr(program), program.byteLength) === 0;
  return sockets.length > 0 && sockets.map(attach).every(Boolean);
}

function openLibc() {
  for (const name of libraries) {
    try {
      return dlopen(name, {
        getsockname: { args: ["i32", "ptr", "ptr"], returns: "i32" },
        setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
      });
    } catch {
      // The system has another C library.
    }
  }
  return null;
}
