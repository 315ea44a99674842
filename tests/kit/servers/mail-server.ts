import { SMTPServer } from "smtp-server";
import { until } from "../until.ts";

export type ReceivedMail = {
  to: string;
  subject: string;
  /** The decoded text part, and the HTML part if there is one. */
  text: string;
  html: string;
  headers: Map<string, string>;
};

/**
 * A mail server on the loopback interface. `replies` says what happens to mails to an address: a code with which the address or the text
 * is refused, or `silent`: the text is received, and nothing is answered; or when it is answered.
 */
export async function startMailServer(port = 0) {
  const mails: ReceivedMail[] = [];
  const replies = new Map<string, number | "silent" | Promise<void>>();
  const recipients: string[] = [];
  let connections = 0;
  const refuse = (code: number) =>
    Object.assign(new Error(code < 500 ? "Later" : "No such mailbox"), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_, done) => (connections++, done()),
    onRcptTo({ address }, _, done) {
      recipients.push(address);
      const reply = replies.get(address);
      done(typeof reply === "number" ? refuse(reply) : null);
    },
    async onData(stream, session, done) {
      // A client that is killed sends half of it.
      const raw = await new Response(stream as unknown as ReadableStream).text().catch(() => null);
      if (raw === null) return done(refuse(451));
      const to = session.envelope.rcptTo.map(({ address }) => address).join();
      mails.push({ to, ...readMail(raw) });
      const reply = replies.get(to);
      await (reply instanceof Promise ? reply : null);
      if (reply !== "silent") done();
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const bound = (server.server.address() as { port: number }).port;

  return {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    mails,
    replies,
    /** Every address that was asked for, also those that were refused. */
    recipients,
    connections: () => connections,
    to: (address: string) => mails.filter((mail) => mail.to === address),
    /** Waits until a mail to this address has come. */
    async wait(address: string, count = 1): Promise<ReceivedMail> {
      const find = () => mails.filter(({ to }) => to === address);
      return (await until(find, ({ length }) => length >= count))[count - 1] as ReceivedMail;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The first address in a mail that begins so, as a path. */
export function linkIn({ text }: ReceivedMail, beginning: string): string {
  const found = text.split(/\s+/).find((word) => word.startsWith(`${mailBase}${beginning}`));
  if (!found) throw new Error(`There is no address with ${beginning} in: ${text}`);
  return found.slice(mailBase.length);
}

export const mailBase = "http://vitrine.example";

/** What a server needs to send mail here. */
export const mailEnv = ({ url }: { url: string }) => ({
  SMTP_URL: url,
  MAIL_FROM: "Vitrine <vitrine@example.org>",
  BASE_URL: mailBase,
});

function readMail(raw: string) {
  const { headers, body } = splitPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "")?.[1];
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => splitPart(part.trimStart()))
    : [{ headers, body }];
  const find = (type: string) => parts.find((part) => part.headers.get("content-type")?.startsWith(type));
  const decode = (part: ReturnType<typeof splitPart> | undefined) =>
    part ? decodePart(part).replaceAll("\r\n", "\n") : "";
  return {
    subject: decodeWords(headers.get("subject") ?? ""),
    text: decode(find("text/plain")).trimEnd(),
    html: decode(find("text/html")).trimEnd(),
    headers,
  };
}

function splitPart(raw: string) {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
  return { headers, body: raw.slice(end + 4) };
}

function decodePart({ headers, body }: ReturnType<typeof splitPart>): string {
  const encoding = headers.get("content-transfer-encoding");
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  return encoding === "quoted-printable" ? decodeQuoted(body.replaceAll(/=\r\n/g, "")) : body;
}

const decodeQuoted = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();

const decodeWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B" ? Buffer.from(word, "base64").toString() : decodeQuoted(word.replaceAll("_", " ")),
    );
