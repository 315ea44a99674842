import { toHeaderLine } from "../mail/outbox.ts";
import type { MailLanguage } from "../mail/template.ts";

type Words = { subject: string; paragraphs: string[]; button?: string; notes?: string[]; footer: string };

/** Each is made from the name of the site, the username and, where it is about one, an address. */
type Write = (site: string, username: string, address: string) => Words;
type Texts = Record<
  | "confirm"
  | "addressChanged"
  | "passwordLink"
  | "passwordChanged"
  | "adminLink"
  | "factorAdded"
  | "factorRemoved"
  | "recoveryCodeUsed",
  Write
>;

const en: Texts = {
  confirm: (site, username) => ({
    subject: toHeaderLine(`Confirm your address for ${site}`),
    paragraphs: [`This address was entered for the account ${username} on ${site}. Is it yours?`],
    button: "Confirm the address",
    notes: ["The link works for one day. If you have no such account, ignore this mail: the address is not used."],
    footer: "Sent once, because somebody entered this address.",
  }),
  addressChanged: (site, username, address) => ({
    subject: toHeaderLine(`The address of your account on ${site} was changed`),
    paragraphs: [
      `The account ${username} on ${site} now has another mail address: ${address}. This address gets no more mail.`,
      "If that was not you, change your password, or ask an admin of the site for help.",
    ],
    footer: "Mail about the safety of your account cannot be switched off.",
  }),
  passwordLink: (site, username) => ({
    subject: toHeaderLine(`A new password for ${site}`),
    paragraphs: [`Somebody wants to set a new password for the account ${username} on ${site}.`],
    button: "Set a new password",
    notes: ["The link works once, for one hour. If that was not you, ignore this mail: your password stays as it is."],
    footer: "Sent because the form for forgotten passwords was used.",
  }),
  passwordChanged: (site, username) => ({
    subject: toHeaderLine(`Your password for ${site} was changed`),
    paragraphs: [
      `The password of the account ${username} on ${site} was changed.`,
      "If that was not you, set a new password at once, or ask an admin of the site for help. App keys may still work: look at those in your account.",
    ],
    footer: "Mail about the safety of your account cannot be switched off.",
  }),
  adminLink: (site, username) => ({
    subject: toHeaderLine(`A link to set your password for ${site}`),
    paragraphs: [
      `An admin of ${site} has made a link with which a new password can be set for the account ${username}.`,
      "If you did not ask for it, tell the admin.",
    ],
    footer: "Mail about the safety of your account cannot be switched off.",
  }),
  factorAdded: (site, username) => ({
    subject: toHeaderLine(`A second factor was added to your account on ${site}`),
    paragraphs: [
      `The account ${username} on ${site} has a new second factor: an authenticator app or a passkey.`,
      "If that was not you, change your password, remove it in your account, or ask an admin of the site for help.",
    ],
    footer: "Mail about the safety of your account cannot be switched off.",
  }),
  factorRemoved: (site, username) => ({
    subject: toHeaderLine(`A second factor of your account on ${site} was removed`),
    paragraphs: [
      `An authenticator app or a passkey of the account ${username} on ${site} was removed.`,
      "If that was not you, change your password, or ask an admin of the site for help.",
    ],
    footer: "Mail about the safety of your account cannot be switched off.",
  }),
  recoveryCodeUsed: (site, username) => ({
    subject: toHeaderLine(`A recovery code of your account on ${site} was used`),
    paragraphs: [
      `Somebody has used a recovery code of the account ${username} on ${site}.`,
      "If that was not you, change your password and make new recovery codes, or ask an admin of the site for help.",
    ],
    footer: "Mail about the safety of your account cannot be switched off.",
  }),
};

const de: Texts = {
  confirm: (site, username) => ({
    subject: toHeaderLine(`Bestätigen Sie Ihre Adresse für ${site}`),
    paragraphs: [`Diese Adresse wurde für das Konto ${username} auf ${site} angegeben. Ist es Ihre?`],
    button: "Adresse bestätigen",
    notes: [
      "Der Link gilt einen Tag. Wenn Sie kein solches Konto haben, können Sie diese E-Mail ignorieren: Die Adresse wird nicht verwendet.",
    ],
    footer: "Einmal verschickt, weil jemand diese Adresse angegeben hat.",
  }),
  addressChanged: (site, username, address) => ({
    subject: toHeaderLine(`Die Adresse Ihres Kontos auf ${site} wurde geändert`),
    paragraphs: [
      `Das Konto ${username} auf ${site} hat jetzt eine andere E-Mail-Adresse: ${address}. An diese Adresse geht keine E-Mail mehr.`,
      "Wenn Sie das nicht waren, ändern Sie Ihr Passwort, oder wenden Sie sich an die Verwaltung der Website.",
    ],
    footer: "E-Mails zur Sicherheit Ihres Kontos lassen sich nicht abstellen.",
  }),
  passwordLink: (site, username) => ({
    subject: toHeaderLine(`Ein neues Passwort für ${site}`),
    paragraphs: [`Jemand möchte für das Konto ${username} auf ${site} ein neues Passwort setzen.`],
    button: "Neues Passwort setzen",
    notes: [
      "Der Link gilt einmal und eine Stunde lang. Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt, wie es ist.",
    ],
    footer: "Verschickt, weil das Formular für vergessene Passwörter benutzt wurde.",
  }),
  passwordChanged: (site, username) => ({
    subject: toHeaderLine(`Ihr Passwort für ${site} wurde geändert`),
    paragraphs: [
      `Das Passwort des Kontos ${username} auf ${site} wurde geändert.`,
      "Wenn Sie das nicht waren, setzen Sie sofort ein neues, oder wenden Sie sich an die Verwaltung der Website. App-Schlüssel gelten womöglich weiter: Sehen Sie in Ihrem Konto nach.",
    ],
    footer: "E-Mails zur Sicherheit Ihres Kontos lassen sich nicht abstellen.",
  }),
  adminLink: (site, username) => ({
    subject: toHeaderLine(`Ein Link für Ihr Passwort auf ${site}`),
    paragraphs: [
      `Die Verwaltung von ${site} hat einen Link erstellt, mit dem sich für das Konto ${username} ein neues Passwort setzen lässt.`,
      "Wenn Sie nicht darum gebeten haben, fragen Sie dort nach.",
    ],
    footer: "E-Mails zur Sicherheit Ihres Kontos lassen sich nicht abstellen.",
  }),
  factorAdded: (site, username) => ({
    subject: toHeaderLine(`Ihr Konto auf ${site} hat einen neuen zweiten Faktor`),
    paragraphs: [
      `Für das Konto ${username} auf ${site} wurde ein zweiter Faktor eingerichtet: eine Authenticator-App oder ein Passkey.`,
      "Wenn Sie das nicht waren, ändern Sie Ihr Passwort und entfernen Sie ihn in Ihrem Konto, oder wenden Sie sich an die Verwaltung der Website.",
    ],
    footer: "E-Mails zur Sicherheit Ihres Kontos lassen sich nicht abstellen.",
  }),
  factorRemoved: (site, username) => ({
    subject: toHeaderLine(`Ein zweiter Faktor Ihres Kontos auf ${site} wurde entfernt`),
    paragraphs: [
      `Eine Authenticator-App oder ein Passkey des Kontos ${username} auf ${site} wurde entfernt.`,
      "Wenn Sie das nicht waren, ändern Sie Ihr Passwort, oder wenden Sie sich an die Verwaltung der Website.",
    ],
    footer: "E-Mails zur Sicherheit Ihres Kontos lassen sich nicht abstellen.",
  }),
  recoveryCodeUsed: (site, username) => ({
    subject: toHeaderLine(`Ein Wiederherstellungscode Ihres Kontos auf ${site} wurde verwendet`),
    paragraphs: [
      `Jemand hat einen Wiederherstellungscode des Kontos ${username} auf ${site} verwendet.`,
      "Wenn Sie das nicht waren, ändern Sie Ihr Passwort und erstellen Sie neue Codes, oder wenden Sie sich an die Verwaltung der Website.",
    ],
    footer: "E-Mails zur Sicherheit Ihres Kontos lassen sich nicht abstellen.",
  }),
};

export const addressTexts: Record<MailLanguage, Texts> = { en, de };
