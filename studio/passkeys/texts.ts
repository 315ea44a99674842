import { translate } from "../lib/language.ts";

export const passkeyTexts = translate({
  en: {
    passkeys: "Passkeys",
    hint: "Sign in with your fingerprint, your face or the PIN of a device, without a password. Once you have a passkey, signing in with your password takes a second step.",
    add: "Add a passkey",
    added: (name: string) => `You can now sign in with “${name}”.`,
    unsupported: "Passkeys need HTTPS and a current browser: open the studio at an address that begins with https://.",
    elsewhere:
      "Passkeys work only at the site’s own address, which is set by BASE_URL. Open the studio there, with HTTPS.",
    cancelled: "No passkey was created. Try again, and confirm when your device asks.",
    known: "This device already has a passkey for your account.",
    tooMany: "You have 20 passkeys. Remove one that you no longer use.",
    failed: "The passkey could not be created. Try again.",
    created: (day: string) => `added ${day}`,
    synced: "synced",
    otherSite: (site: string) => `only for ${site}`,
    copied:
      "This passkey may have been copied, so it is no longer accepted. Remove it, and check where you are signed in.",
    renameOf: (name: string) => `Rename ${name}`,
    nameMissing: "Give the passkey a name.",
    removeTitle: (name: string) => `Remove “${name}”?`,
    removeText: "No one can sign in with it any more. Also remove it from the device, so that it is not offered there.",
    removed: (name: string) => `“${name}” was removed.`,
    confirmTitle: "Is this you?",
    confirmText: "You signed in a while ago. Enter your password to change how you sign in.",
    proceed: "Continue",
  },
  de: {
    passkeys: "Passkeys",
    hint: "Melden Sie sich mit Finger, Gesicht oder der PIN eines Geräts an, ohne Passwort. Vom ersten Passkey an braucht auch Ihr Passwort einen zweiten Schritt.",
    add: "Passkey hinzufügen",
    added: (name: string) => `Sie können sich nun mit „${name}“ anmelden.`,
    unsupported:
      "Passkeys brauchen HTTPS und einen aktuellen Browser: Öffnen Sie das Studio unter einer Adresse, die mit https:// beginnt.",
    elsewhere:
      "Passkeys gibt es nur unter der Adresse der Website, die der Server kennt (BASE_URL). Öffnen Sie das Studio dort, mit HTTPS.",
    cancelled: "Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal, wenn Ihr Gerät fragt.",
    known: "Dieses Gerät hat schon einen Passkey für Ihr Konto.",
    tooMany: "Sie haben 20 Passkeys. Entfernen Sie einen, den Sie nicht mehr verwenden.",
    failed: "Der Passkey konnte nicht erstellt werden. Versuchen Sie es noch einmal.",
    created: (day: string) => `hinzugefügt ${day}`,
    synced: "synchronisiert",
    otherSite: (site: string) => `nur für ${site}`,
    copied:
      "Von diesem Passkey gibt es vielleicht eine Kopie, darum wird er nicht mehr angenommen. Entfernen Sie ihn, und sehen Sie nach, wo Sie angemeldet sind.",
    renameOf: (name: string) => `${name} umbenennen`,
    nameMissing: "Geben Sie dem Passkey einen Namen.",
    removeTitle: (name: string) => `„${name}“ entfernen?`,
    removeText:
      "Niemand kann sich mehr damit anmelden. Entfernen Sie ihn auch auf dem Gerät, damit er dort nicht mehr angeboten wird.",
    removed: (name: string) => `„${name}“ wurde entfernt.`,
    confirmTitle: "Sind Sie es?",
    confirmText:
      "Sie haben sich vor einiger Zeit angemeldet. Geben Sie Ihr Passwort ein, um zu ändern, wie Sie sich anmelden.",
    proceed: "Weiter",
  },
});
