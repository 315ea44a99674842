import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

export const redirectTexts = translate({
  en: {
    title: "Redirects",
    hint: "Old links to an earlier site, and where they lead now.",
    show: "Show redirects",
    search: "Search old addresses",
    add: "Add redirect",
    changeTitle: "Change redirect",
    open: "Try it",
    selectAll: "All shown",
    nowhere: "Leads nowhere, because its target was deleted.",
    imported: "from an import",
    none: "There are no redirects yet",
    noneHint: "An import adds the old addresses of posts, pages and pictures. You can also add one yourself.",
    noMatch: "No old addresses match",
    noMatchHint: "Only old addresses are searched, not where they lead.",
    from: "Old address",
    fromHint:
      "The address on the earlier site, such as /2019/05/lisbon. It redirects as long as this site has nothing there.",
    to: "Leads to",
    toHint:
      "An address of this site, such as /blog/lisbon. A post, photo or album is found even if its address changes.",
    needed: "This field is required.",
    problems: {
      from: {
        invalid:
          "This address cannot be redirected. Enter a path, such as /2019/05/lisbon. The front page and the API keep their addresses.",
        conflict: "This old address already has a redirect. Find it in the list, and change it.",
      },
      to: {
        invalid: "There is nothing at this address, or it does not belong to this site.",
        conflict: "This address is itself redirected, or leads back to the old one. Enter the final address.",
      },
    },
    added: "The redirect was added.",
    saved: "The redirect was changed.",
    removeTitle: (count: number) =>
      count === 1 ? "Remove this redirect?" : `Remove ${formatNumber(count)} redirects?`,
    removeHint: (count: number): string =>
      count === 1
        ? "Links to this address will stop working. This cannot be undone."
        : "Links to these addresses will stop working. This cannot be undone.",
    removed: (count: number) =>
      count === 1 ? "The redirect was removed." : `${formatNumber(count)} redirects were removed.`,
  },
  de: {
    title: "Weiterleitungen",
    hint: "Alte Links auf eine frühere Website, und wohin sie jetzt führen.",
    show: "Weiterleitungen zeigen",
    search: "Alte Adressen durchsuchen",
    add: "Weiterleitung anlegen",
    changeTitle: "Weiterleitung ändern",
    open: "Ausprobieren",
    selectAll: "Alle gezeigten",
    nowhere: "Führt nirgends mehr hin, weil das Ziel gelöscht wurde.",
    imported: "aus einem Import",
    none: "Es gibt noch keine Weiterleitungen",
    noneHint:
      "Ein Import legt sie für die alten Adressen von Beiträgen, Seiten und Bildern an. Sie können auch selbst eine anlegen.",
    noMatch: "Keine alte Adresse enthält das",
    noMatchHint: "Durchsucht werden nur alte Adressen, nicht ihre Ziele.",
    from: "Alte Adresse",
    fromHint:
      "Wie auf der früheren Website, zum Beispiel /2019/05/lissabon. Sie führt weiter, solange es hier nichts unter dieser Adresse gibt.",
    to: "Führt zu",
    toHint:
      "Eine Adresse dieser Website, zum Beispiel /blog/lissabon. Beiträge, Fotos und Alben werden auch gefunden, wenn sich ihre Adresse ändert.",
    needed: "Diese Angabe fehlt.",
    problems: {
      from: {
        invalid:
          "Das kann keine alte Adresse sein. Sie braucht einen Pfad, zum Beispiel /2019/05/lissabon. Die Startseite und die API behalten ihre Adressen.",
        conflict:
          "Diese alte Adresse hat schon eine Weiterleitung. Suchen Sie danach in der Liste, und ändern Sie die vorhandene.",
      },
      to: {
        invalid: "Unter dieser Adresse gibt es nichts, oder sie gehört nicht zu dieser Website.",
        conflict:
          "Diese Adresse führt selbst weiter, oder zurück zur alten. Wählen Sie die Adresse, bei der es enden soll.",
      },
    },
    added: "Die Weiterleitung wurde angelegt.",
    saved: "Die Weiterleitung wurde geändert.",
    removeTitle: (count) =>
      count === 1 ? "Diese Weiterleitung entfernen?" : `${formatNumber(count)} Weiterleitungen entfernen?`,
    removeHint: (count) =>
      count === 1
        ? "Alte Links auf diese Adresse finden dann nichts mehr. Das lässt sich nicht rückgängig machen."
        : "Alte Links auf diese Adressen finden dann nichts mehr. Das lässt sich nicht rückgängig machen.",
    removed: (count) =>
      count === 1 ? "Die Weiterleitung wurde entfernt." : `${formatNumber(count)} Weiterleitungen wurden entfernt.`,
  },
});
