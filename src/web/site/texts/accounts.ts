import type { Translated } from "../language.ts";

const en = {
  signIn: "Sign in",
  signUp: "Create an account",
  signUpButton: "Sign up",
  username: "Username",
  usernameHint: "Letters and digits of any script, and . _ - @ +",
  password: "Password",
  strongHint: "At least 8 characters. A few random words make a good password.",
  anyHint: "A few random words make a good password.",
  noAccount: "No account yet?",
  hasAccount: "Already have an account?",
  readers: "With an account, you can write comments.",
  authors: "With an account, you can write comments and posts, and upload photos and files.",
  admins: "With an account, you can change everything on this site, and decide who else can.",
  invited: "You have been invited to this site.",
  uninvitedTitle: "This invitation is not valid",
  uninvited: "It was used or revoked, or it has expired. Ask for a new one.",
  closedTitle: "Sign-up is closed",
  closed: "New accounts cannot be created on this site.",
  wrong: "The username or the password is wrong.",
  wrongUsername: "Choose a username of at most 64 letters, digits and the characters . _ - @ +",
  wrongPassword: "Choose a password of 1 to 256 characters.",
  wrongStrongPassword: "Choose a password of 8 to 256 characters.",
  easyPassword:
    "This password is easy to guess: it is common, or contains your username or the name of the site. Choose another one.",
  signedUp: "Your account was created",
  weakPassword:
    "Your password is easy to guess. Change it to a few random words, so that no one else can use your account.",
  changePassword: "Change the password",
  later: "Continue without changing it",
  taken: "This username is taken, or looks like one that is taken. Choose another one.",
  wait: (seconds: number) =>
    `Too many attempts. Wait ${seconds === 1 ? "a second" : `${seconds} seconds`} and try again.`,
  secondStep: "One more step",
  appCode: "Enter the six digits that your authenticator app shows.",
  recoveryCode: "Enter one of your recovery codes.",
  code: "Code",
  codeHint: "If you do not have it with you, enter a recovery code.",
  wrongCode: "This code is wrong or has already been used. If this happens again, start over.",
  startAgain: "Start over",
  failed: "This is not possible.",
};

const de: typeof en = {
  signIn: "Anmelden",
  signUp: "Konto anlegen",
  signUpButton: "Registrieren",
  username: "Benutzername",
  usernameHint: "Buchstaben und Ziffern jeder Schrift sowie . _ - @ +",
  password: "Passwort",
  strongHint: "Mindestens 8 Zeichen. Einige zufällige Wörter eignen sich gut.",
  anyHint: "Einige zufällige Wörter eignen sich gut.",
  noAccount: "Noch kein Konto?",
  hasAccount: "Sie haben schon ein Konto?",
  readers: "Mit einem Konto können Sie Kommentare schreiben.",
  authors: "Mit einem Konto können Sie Kommentare und Beiträge schreiben sowie Fotos und Dateien hochladen.",
  admins: "Mit einem Konto können Sie alles auf dieser Seite ändern und bestimmen, wer das außerdem kann.",
  invited: "Sie wurden auf diese Seite eingeladen.",
  uninvitedTitle: "Diese Einladung ist nicht gültig",
  uninvited: "Sie wurde verwendet oder widerrufen, oder sie ist abgelaufen. Bitten Sie um eine neue.",
  closedTitle: "Die Registrierung ist geschlossen",
  closed: "Auf dieser Seite können keine neuen Konten angelegt werden.",
  wrong: "Der Benutzername oder das Passwort ist falsch.",
  wrongUsername: "Wählen Sie einen Benutzernamen aus höchstens 64 Buchstaben, Ziffern und den Zeichen . _ - @ +",
  wrongPassword: "Wählen Sie ein Passwort mit 1 bis 256 Zeichen.",
  wrongStrongPassword: "Wählen Sie ein Passwort mit 8 bis 256 Zeichen.",
  easyPassword:
    "Dieses Passwort ist leicht zu erraten: Es ist ein häufiges, oder es enthält Ihren Benutzernamen oder den Namen der Seite. Wählen Sie ein anderes.",
  signedUp: "Ihr Konto wurde angelegt",
  weakPassword:
    "Ihr Passwort ist leicht zu erraten. Ersetzen Sie es durch einige zufällige Wörter, damit niemand sonst Ihr Konto benutzen kann.",
  changePassword: "Passwort ändern",
  later: "Weiter, ohne es zu ändern",
  taken:
    "Dieser Benutzername ist vergeben oder sieht einem vergebenen zum Verwechseln ähnlich. Wählen Sie einen anderen.",
  wait: (seconds) =>
    `Zu viele Versuche. Warten Sie ${seconds === 1 ? "eine Sekunde" : `${seconds} Sekunden`} und versuchen Sie es noch einmal.`,
  secondStep: "Noch ein Schritt",
  appCode: "Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App zeigt.",
  recoveryCode: "Geben Sie einen Ihrer Wiederherstellungscodes ein.",
  code: "Code",
  codeHint: "Wenn Sie sie nicht zur Hand haben, geben Sie einen Wiederherstellungscode ein.",
  wrongCode: "Dieser Code ist falsch oder wurde schon verwendet. Wenn das wieder geschieht, beginnen Sie von vorn.",
  startAgain: "Von vorn beginnen",
  failed: "Das ist nicht möglich.",
};

export const accountTexts: Translated<typeof en> = { en, de };

export type AccountTexts = typeof en;
