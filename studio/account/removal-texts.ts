import { formatCount as count } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

export const removalTexts = translate({
  en: {
    open: "Remove my account…",
    hint: "Removes your account and everything that belongs to it.",
    title: "Remove your account",
    what: "This is deleted permanently and cannot be restored, not even by an admin:",
    files: (number: number, size: string) => `${count(number, "file", "files")} (${size})`,
    posts: (number: number) => `${count(number, "post", "posts")} with all comments`,
    comments: (number: number) => `${count(number, "comment", "comments")} that you have written`,
    further: "your profile, share links, hearts, sessions and trash",
    others: "What other people have written or uploaded elsewhere is kept.",
    copies:
      "Copies that no one can open stay on the server for up to a day (30 days after an upgrade), and in backups for as long as those are kept. Browsers may show pictures for another day. Admins see in the activity that you left.",
    getData: "Download your data first",
    waiting: "The archive of your data is still being created. Wait for it if you want a copy.",
    onlyAdmin: "You are the only admin. Make someone else an admin first, under People.",
    removeNow: "Remove my account and everything",
  },
  de: {
    open: "Mein Konto entfernen …",
    hint: "Entfernt Ihr Konto und alles, was dazu gehört.",
    title: "Ihr Konto entfernen",
    what: "Das wird endgültig gelöscht und kann nicht wiederhergestellt werden, auch nicht von einem Administrator:",
    files: (number: number, size: string) => `${count(number, "Datei", "Dateien")} (${size})`,
    posts: (number: number) => `${count(number, "Beitrag", "Beiträge")} mit allen Kommentaren`,
    comments: (number: number) => `${count(number, "Kommentar", "Kommentare")} von Ihnen`,
    further: "Ihr Profil, Ihre Freigaben, Herzen, Sitzungen und Ihr Papierkorb",
    others: "Was andere anderswo geschrieben oder hochgeladen haben, bleibt.",
    copies:
      "Kopien, die niemand öffnen kann, bleiben bis zu einen Tag auf dem Server, nach einem Upgrade bis zu 30 Tage, und in Sicherungen so lange, wie diese aufbewahrt werden. Browser können Bilder noch einen Tag lang zeigen. Die Aktivitäten sagen Administratoren, dass Sie gegangen sind.",
    getData: "Zuerst Ihre Daten holen",
    waiting: "Das Archiv Ihrer Daten wird noch erstellt. Warten Sie darauf, wenn Sie es haben möchten.",
    onlyAdmin: "Sie sind der einzige Administrator. Machen Sie zuerst unter Personen jemand anderen dazu.",
    removeNow: "Mein Konto und alles entfernen",
  },
});
