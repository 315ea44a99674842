import { formatNumber } from "../lib/format.ts";
import { countOf } from "../lib/kinds.ts";
import { translate } from "../lib/language.ts";

const otherCounts: Record<"en" | "de", Record<string, string>> = {
  en: { share: "share links", user: "accounts", invitation: "invitations", webhook: "webhooks", redirect: "redirects" },
  de: {
    share: "Freigaben",
    user: "Konten",
    invitation: "Einladungen",
    webhook: "Webhooks",
    redirect: "Weiterleitungen",
  },
};

export const activityTexts = translate({
  en: {
    title: "Activity",
    quote: (name: string) => `“${name}”`,
    everyKind: "Everything",
    kind: "Kind",
    otherKinds: {
      share: "Share links",
      user: "People",
      invitation: "Invitations",
      redirect: "Redirects",
      settings: "Settings",
    },
    server: "The server",
    removedPerson: "A deleted user",
    empty: "Nothing has happened yet.",
    more: "Load more",
    end: "This is the beginning.",
    postsAndPages: "Posts and pages",
    counted: (count: number, shown: { kind: string; isPage: boolean }) =>
      countOf(count, shown) ?? `${formatNumber(count)} ${otherCounts.en[shown.kind] ?? shown.kind}`,
    others: (count: number) => `and ${formatNumber(count)} more`,
    actions: {
      created: "created",
      changed: "changed",
      trashed: "moved to the trash:",
      restored: "restored",
      deleted: "permanently deleted",
      imported: "imported",
      published: "published",
      signedUp: "signed up:",
      roleChanged: "changed the role of",
      passwordChanged: "changed the password of",
      signedOut: "signed out",
      removed: "removed",
    },
    nouns: {
      share: "the share link",
      user: "the account",
      invitation: "the invitation",
      redirect: "the redirect",
      settings: "the settings",
    },
  },
  de: {
    title: "Aktivität",
    quote: (name: string) => `„${name}“`,
    everyKind: "Alles",
    kind: "Art",
    otherKinds: {
      share: "Freigaben",
      user: "Personen",
      invitation: "Einladungen",
      redirect: "Weiterleitungen",
      settings: "Einstellungen",
    },
    server: "Der Server",
    removedPerson: "Ein gelöschter Benutzer",
    empty: "Es ist noch nichts geschehen.",
    more: "Mehr laden",
    end: "Das ist der Anfang.",
    postsAndPages: "Beiträge und Seiten",
    counted: (count, shown) =>
      countOf(count, shown) ?? `${formatNumber(count)} ${otherCounts.de[shown.kind] ?? shown.kind}`,
    others: (count) => `und ${formatNumber(count)} weitere`,
    actions: {
      created: "hat angelegt:",
      changed: "hat geändert:",
      trashed: "hat in den Papierkorb gelegt:",
      restored: "hat wiederhergestellt:",
      deleted: "hat endgültig gelöscht:",
      imported: "hat importiert:",
      published: "hat veröffentlicht:",
      signedUp: "hat sich registriert:",
      roleChanged: "hat die Rolle geändert von",
      passwordChanged: "hat das Passwort geändert von",
      signedOut: "hat abgemeldet:",
      removed: "hat entfernt:",
    },
    nouns: {
      share: "Freigabe",
      user: "Konto",
      invitation: "Einladung",
      redirect: "Weiterleitung",
      settings: "Einstellungen",
    },
  },
});
