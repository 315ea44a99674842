import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { MailConfig } from "./mail-config.ts";
import type { Letter, Mailer, Outcome } from "./letter.ts";

const connectMs = 30_000;
/** RFC 5321 lets a server take ten minutes after the text. Few need more than one; after this, a mail is in doubt. */
const answerMs = 180_000;
const idleMs = 10_000;
/** After this many, some servers close the connection. */
const mailsPerConnection = 50;

type SmtpError = Error & {
  code?: string | undefined;
  command?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
};
type Link = {
  connection: SMTPConnection;
  mails: number;
  isOpen: boolean;
  /** Ends it while it is idle. */
  timer: ReturnType<typeof setTimeout> | null;
  /** Ends the mail that is being sent. */
  fail: (error: Error) => void;
};

/**
 * Connections to a mail server, which are used for several mails and closed when idle. It is built on the library's connection
 * and not on its pool, because the pool sends a mail again when a connection breaks, even if the text had been sent.
 */
export function openSmtp(config: MailConfig): Mailer {
  const idle: Link[] = [];
  const links = new Set<Link>();

  function discard(link: Link): void {
    link.isOpen = false;
    if (link.timer) clearTimeout(link.timer);
    links.delete(link);
    if (idle.includes(link)) idle.splice(idle.indexOf(link), 1);
    link.connection.close();
    link.fail(new Error("The connection was closed."));
  }

  async function connect(): Promise<Link> {
    const { host, port, isSecure, requiresTLS, user, password } = config;
    const connection = new SMTPConnection({
      host,
      port,
      secure: isSecure,
      requireTLS: requiresTLS,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      socketTimeout: answerMs,
      tls: { minVersion: "TLSv1.2" },
    });
    const link: Link = { connection, mails: 0, isOpen: true, timer: null, fail() {} };
    links.add(link);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // It stays: an error without a listener would end the process.
    connection.on("error", (error: Error) => (discard(link), reject(error)));
    connection.on("end", () => (discard(link), reject(new Error("The connection was closed."))));
    try {
      connection.connect((error) => (error ? reject(error) : resolve()));
      await promise;
      if (user !== null) await login(connection, user, password ?? "");
      return link;
    } catch (error) {
      discard(link);
      throw error;
    }
  }

  function release(link: Link): void {
    if (!link.isOpen || ++link.mails >= mailsPerConnection) return discard(link);
    link.timer = setTimeout(() => quit(link), idleMs);
    idle.push(link);
  }

  function quit(link: Link): void {
    if (idle.includes(link)) idle.splice(idle.indexOf(link), 1);
    if (link.isOpen) link.connection.quit();
    discard(link);
  }

  function take(): Link | null {
    const link = idle.pop() ?? null;
    if (link?.timer) clearTimeout(link.timer);
    return link;
  }

  async function attempt(link: Link, letter: Letter, bytes: Buffer): Promise<Outcome> {
    let isBegun = false;
    const body = new Readable({
      // It is read only after the server has accepted the addresses and asked for the text.
      read() {
        isBegun = true;
        this.push(bytes);
        this.push(null);
      },
    });
    const envelope = { from: config.from.address, to: [letter.to], size: bytes.length };
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    link.fail = (error) => resolve(judge(error, isBegun));
    const timer = setTimeout(() => link.fail(new Error("The mail server did not respond in time.")), answerMs);
    link.connection.send(envelope, body, (error) => resolve(error ? judge(error, isBegun) : { kind: "sent" }));
    const outcome = await promise;
    clearTimeout(timer);
    link.fail = () => {};
    // After a refusal, the state of the connection is not certain.
    if (outcome.kind === "sent") release(link);
    else discard(link);
    return outcome;
  }

  return {
    async send(letter) {
      try {
        const bytes = await compose(config, letter);
        const known = take();
        const first = known && (await attempt(known, letter, bytes));
        // A server closes idle connections when it likes: that says nothing about the mail.
        if (first && !(first.kind === "temporary" && first.isOurs)) return first;
        return await attempt(await connect(), letter, bytes);
      } catch (error) {
        return { kind: "temporary", reason: describe(error as SmtpError), isOurs: true };
      }
    },
    async check() {
      try {
        quit(await connect());
        return null;
      } catch (error) {
        return describe(error as SmtpError);
      }
    },
    async close() {
      while (idle[0]) quit(idle[0]);
      for (const link of links) discard(link);
    },
  };
}

function login(connection: SMTPConnection, user: string, pass: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  connection.login({ user, pass, credentials: { user, pass } }, (error) => (error ? reject(error) : resolve()));
  return promise;
}

async function compose({ from }: MailConfig, letter: Letter): Promise<Buffer> {
  const { to, subject, text, html, headers, messageID, date } = letter;
  const composer = new MailComposer({
    from,
    to: { name: "", address: to },
    subject,
    text,
    ...(html === null ? {} : { html }),
    headers: { ...headers, "Auto-Submitted": "auto-generated" },
    messageId: messageID,
    date,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "\r\n",
  });
  return composer.compile().build();
}

/** A refusal counts as final only where it concerns this mail: a wrong password of ours can be put right. */
function judge(error: SmtpError, isBegun: boolean): Outcome {
  const { responseCode = 0, command = "", code } = error;
  const reason = describe(error);
  if (responseCode === 0 && code === "EMESSAGE") return { kind: "permanent", reason, isAddress: false };
  if (responseCode === 0 && isBegun) return { kind: "doubtful", reason };
  const isAboutMail = command === "RCPT TO" || command === "DATA";
  if (isAboutMail && responseCode >= 500) return { kind: "permanent", reason, isAddress: command === "RCPT TO" };
  return { kind: "temporary", reason, isOurs: !isAboutMail };
}

const describe = ({ response, message }: SmtpError): string =>
  (response || message).replaceAll(/\p{Cc}+/gu, " ").slice(0, 500);
