import { parseSender, type Sender } from "./address.ts";

export type MailConfig = Readonly<{
  host: string;
  port: number;
  /** TLS from the first byte on. */
  isSecure: boolean;
  /** Nothing is sent over a connection that STARTTLS did not encrypt. */
  requiresTLS: boolean;
  user: string | null;
  password: string | null;
  from: Sender;
}>;

/** From the variables SMTP_URL, MAIL_FROM and BASE_URL. Throws `Refusal` with a sentence. */
export function readMail(
  url: string | null,
  sender: string | null,
  baseURL: string,
  Refusal: new (message: string) => Error,
): MailConfig | null {
  if (url === null) return null;
  const parsed = parseMailURL(url, sender);
  if (typeof parsed === "string") throw new Refusal(`SMTP_URL ${parsed}`);
  // A link in a mail must not lead where the sender of a request says that the site is.
  if (baseURL === "") throw new Refusal("SMTP_URL also requires BASE_URL, for the links in mails.");
  return parsed;
}

/** `smtp://user:password@host:587?from=…`. Returns what is wrong with it as a sentence, which never has the value: that has a password. */
function parseMailURL(value: string, sender: string | null): MailConfig | string {
  const url = URL.parse(value);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname) || url.hash) {
    return "must look like smtp://user:password@mail.example.org:587 or smtps://user:password@mail.example.org.";
  }
  const tls = url.searchParams.get("tls") ?? "required";
  const unknown = [...url.searchParams.keys()].find((name) => name !== "from" && name !== "tls");
  if (unknown) return `has a parameter that does not exist: ${unknown}. There are "from" and "tls".`;
  if (tls !== "required" && tls !== "off") return 'has a wrong "tls": it is "required" or "off".';
  const from = parseSender(sender ?? url.searchParams.get("from") ?? "");
  if (!from) return "needs the address from which mail is sent: set MAIL_FROM, such as Photos <photos@example.org>.";
  const isSecure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const credentials = [url.username, url.password].map(decode);
  if (credentials.includes(null)) return "has a user or a password that is not encoded as in a URL: write % as %25.";
  const [user, password] = credentials;
  return {
    host,
    port: Number(url.port) || (isSecure ? 465 : 587),
    isSecure,
    // On the same machine there is nobody in between.
    requiresTLS: !isSecure && tls === "required" && !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host),
    user: user || null,
    password: password || null,
    from,
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
