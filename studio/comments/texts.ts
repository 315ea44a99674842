import { formatNumber } from "../lib/format.ts";
import { translate } from "../lib/language.ts";

const n = formatNumber;

export const commentTexts = translate({
  en: {
    comments: "Comments",
    tabs: { waiting: "Waiting", visible: "Visible", hidden: "Hidden" },
    empty: { waiting: "No comments are waiting", visible: "No comments yet", hidden: "No comments are hidden" },
    emptyHint: "Comments that need your approval appear here.",
    on: "on",
    isReply: "Reply",
    mentions: {
      reply: (host: string) => `replied on ${host}`,
      like: (host: string) => `liked it on ${host}`,
      repost: (host: string) => `shared it on ${host}`,
      mention: (host: string) => `mentioned it on ${host}`,
    },
    hide: "Hide",
    reply: "Reply",
    next: "Next comment",
    previous: "Previous comment",
    select: "Select",
    selectOne: (author: string) => `Select the comment by ${author}`,
    found: "The comment you searched for",
    replyTo: (author: string) => `Reply to ${author}`,
    replyHint: "The comment is approved with your reply.",
    send: "Send the reply",
    sent: "Your reply is published.",
    approved: (count: number) => (count === 1 ? "The comment is visible." : `${n(count)} comments are visible.`),
    hidden: (count: number) => (count === 1 ? "The comment is hidden." : `${n(count)} comments are hidden.`),
    waiting: (count: number) =>
      count === 1 ? "The comment is waiting again." : `${n(count)} comments are waiting again.`,
    removed: (count: number) =>
      count === 1 ? "The comment is in the trash." : `${n(count)} comments are in the trash.`,
    refused: (count: number) =>
      count === 1 ? "1 comment could not be changed." : `${n(count)} comments could not be changed.`,
  },
  de: {
    comments: "Kommentare",
    tabs: { waiting: "Wartend", visible: "Sichtbar", hidden: "Verborgen" },
    empty: { waiting: "Nichts wartet auf Sie", visible: "Noch keine Kommentare", hidden: "Nichts ist verborgen" },
    emptyHint: "Kommentare, die Ihre Freigabe brauchen, erscheinen hier.",
    on: "zu",
    isReply: "Antwort",
    mentions: {
      reply: (host: string) => `hat auf ${host} geantwortet`,
      like: (host: string) => `gefällt es auf ${host}`,
      repost: (host: string) => `hat es auf ${host} geteilt`,
      mention: (host: string) => `hat es auf ${host} erwähnt`,
    },
    hide: "Verbergen",
    reply: "Antworten",
    next: "Nächster Kommentar",
    previous: "Vorheriger Kommentar",
    select: "Auswählen",
    selectOne: (author: string) => `Kommentar von ${author} auswählen`,
    found: "Der gesuchte Kommentar",
    replyTo: (author: string) => `${author} antworten`,
    replyHint: "Mit Ihrer Antwort wird der Kommentar freigegeben.",
    send: "Antwort senden",
    sent: "Ihre Antwort ist veröffentlicht.",
    approved: (count: number) =>
      count === 1 ? "Der Kommentar ist sichtbar." : `${n(count)} Kommentare sind sichtbar.`,
    hidden: (count: number) =>
      count === 1 ? "Der Kommentar ist verborgen." : `${n(count)} Kommentare sind verborgen.`,
    waiting: (count: number) =>
      count === 1 ? "Der Kommentar wartet wieder." : `${n(count)} Kommentare warten wieder.`,
    removed: (count: number) =>
      count === 1 ? "Der Kommentar ist im Papierkorb." : `${n(count)} Kommentare sind im Papierkorb.`,
    refused: (count: number) =>
      count === 1
        ? "1 Kommentar konnte nicht geändert werden."
        : `${n(count)} Kommentare konnten nicht geändert werden.`,
  },
});
