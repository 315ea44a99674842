import { translate } from "../lib/language.ts";

export const mailTexts = translate({
  en: {
    title: "Mail",
    hint: "Password links, invitations, and the notifications that each person chooses.",
    off: "This server cannot send mail. Set SMTP_URL and MAIL_FROM, and restart it: see docs/operate/mail.md.",
    from: (address: string, server: string) => `Sent as ${address} by ${server}.`,
    waiting: (number: number) => (number === 1 ? "One mail is waiting." : `${number} mails are waiting.`),
    failed: (number: number) =>
      number === 1
        ? "One mail could not be delivered in the last week."
        : `${number} mails could not be delivered in the last week.`,
    reason: (text: string) => `The mail server says: ${text}`,
    testTo: "Send a test mail to",
    sent: (address: string) => `The mail server accepted the mail to ${address}.`,
    notSent: (reason: string) => `Not sent: ${reason}`,
    address: "Mail address",
    addressHint: "No one else sees it. You need it to set a new password if you forget yours.",
    none: "No address yet.",
    pending: (address: string) => `A link was sent to ${address}. Open it within a day.`,
    ownOff: "This server cannot send mail, so an address would not be used.",
    add: "Add an address",
    newAddress: "New address",
    wrongAddress: "This is not a valid mail address.",
    send: "Send the link",
    removed: "Your address was removed.",
    notify: "Notify me by mail",
    notices: {
      comments: { label: "New comments on my content", hint: "At most one mail per hour." },
      uploads: { label: "Pictures that guests send me", hint: "At most one mail per hour." },
      digest: { label: "Weekly: what needs my attention", hint: "Only if there is something." },
    },
    passwordLink: "Password link…",
    passwordLinkFor: (name: string) => `Password link for ${name}`,
    passwordLinkHint:
      "With this link, the person can set a new password once, within 24 hours. This ends all their sessions and app keys. Send it to them yourself. It is not shown again.",
    email: "Send it by mail to (optional)",
    emailHint: "You will also see the link.",
    wrongEmail: "This is not a valid mail address.",
    mailed: (address: string) => `The link is on its way to ${address}.`,
  },
  de: {
    title: "E-Mail",
    hint: "Passwort-Links, Einladungen und was sich jede Person mitteilen lässt.",
    off: "Dieser Server sendet keine E-Mail. Setzen Sie SMTP_URL und MAIL_FROM, und starten Sie ihn neu: docs/operate/mail.md sagt, wie.",
    from: (address: string, server: string) => `Absender ist ${address}, über ${server}.`,
    waiting: (number: number) => (number === 1 ? "Eine E-Mail wartet." : `${number} E-Mails warten.`),
    failed: (number: number) =>
      number === 1
        ? "Eine E-Mail der letzten Woche wurde aufgegeben."
        : `${number} E-Mails der letzten Woche wurden aufgegeben.`,
    reason: (text: string) => `Der Mailserver sagt: ${text}`,
    testTo: "Testmail senden an",
    sent: (address: string) => `Der Mailserver hat die E-Mail an ${address} angenommen.`,
    notSent: (reason: string) => `Nicht gesendet: ${reason}`,
    address: "E-Mail-Adresse",
    addressHint: "Niemand sonst sieht sie. Mit ihr können Sie ein neues Passwort setzen, wenn Sie Ihres vergessen.",
    none: "Noch keine Adresse.",
    pending: (address: string) => `An ${address} wurde ein Link geschickt. Folgen Sie ihm innerhalb eines Tages.`,
    ownOff: "Dieser Server sendet keine E-Mail, eine Adresse würde also nichts nützen.",
    add: "Adresse angeben",
    newAddress: "Neue Adresse",
    wrongAddress: "Das ist keine E-Mail-Adresse.",
    send: "Link schicken",
    removed: "Ihre Adresse wurde entfernt.",
    notify: "Per E-Mail mitteilen",
    notices: {
      comments: { label: "Neue Kommentare zu dem, was mir gehört", hint: "Höchstens eine E-Mail pro Stunde." },
      uploads: { label: "Bilder, die Gäste mir schicken", hint: "Höchstens eine E-Mail pro Stunde." },
      digest: { label: "Wöchentlich: was meine Aufmerksamkeit braucht", hint: "Nur wenn es etwas gibt." },
    },
    passwordLink: "Passwort-Link …",
    passwordLinkFor: (name: string) => `Passwort-Link für ${name}`,
    passwordLinkHint:
      "Mit diesem Link setzt die Person ein neues Passwort: einmal, innerhalb von 24 Stunden. Dann enden alle ihre Sitzungen und App-Schlüssel. Geben Sie ihn selbst weiter. Er wird nicht noch einmal gezeigt.",
    email: "Per E-Mail senden an (freiwillig)",
    emailHint: "Sie sehen den Link ebenfalls.",
    wrongEmail: "Das ist keine E-Mail-Adresse.",
    mailed: (address: string) => `Der Link ist unterwegs an ${address}.`,
  },
});
