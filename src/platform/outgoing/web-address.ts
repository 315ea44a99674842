const maxURL = 1000;

/**
 * An address on the web that a stranger may name: not too long, without a password, and on a port of web servers; null if it
 * is none. Where its name leads is checked with every request.
 */
export function parseWebAddress(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base?.href);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  if (url.href.length > maxURL || !isWebPort(url.port)) return null;
  return url;
}

/** Below 1024 there are other services: mail, files, remote shells. */
const isWebPort = (port: string) => port === "" || port === "80" || port === "443" || Number(port) >= 1024;
