/**
 * The URL of each host in a URL with several, as programs with libpq take it:
 * `postgres://user:password@first:5432,second:5432/name?target_session_attrs=read-write`. Null if it is not a URL of
 * PostgreSQL. The hosts are servers of one cluster, of which the primary is used, so the parameter says nothing new.
 */
export function splitHosts(url: string): [string, ...string[]] | null {
  const [, start = "", hosts = "", rest = ""] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? [];
  const [first, ...others] = hosts.split(",").map((host) => `${start}${host}${rest}`);
  if (start === "" || first === undefined) return null;
  const all: [string, ...string[]] = [first, ...others];
  if (hosts.includes(",") && hosts.split(",").includes("")) return null;
  if (!all.every((one) => one.length > start.length && URL.canParse(one))) return null;
  const attributes = new URL(first).searchParams.get("target_session_attrs");
  if (attributes !== null && !["read-write", "primary"].includes(attributes)) return null;
  return all.map(withoutAttributes) as [string, ...string[]];
}

/** PostgreSQL itself does not know the parameter, and would refuse it. */
function withoutAttributes(url: string): string {
  if (!url.includes("target_session_attrs")) return url;
  const parsed = new URL(url);
  parsed.searchParams.delete("target_session_attrs");
  return parsed.href;
}

/** Where a server is, without the user and the password. */
export function placeOf(url: string): { host: string; port: string } {
  const { hostname, port } = new URL(url);
  return { host: hostname || "localhost", port: port || "5432" };
}
