import { translate } from "../lib/language.ts";

export const settingsTexts = translate({
  en: {
    reset: "Discard the changes",
    saved: "Saved.",
    undone: "The settings have been restored.",
    fixed: (variable: string) => `Set by the server’s ${variable} environment variable.`,
    site: "Site",
    siteName: "Name of the site",
    tagline: "Tagline",
    taglineHint: "A sentence below the name. It can be empty.",
    language: "Language",
    languageHint: "The language of most of your texts. Pages are shown in the language of the visitor.",
    icon: { label: "Icon", choose: "Choose a photo", remove: "Remove" },
    iconHint: "Browsers show it in tabs and on home screens. The photo must be public; its centre is used.",
    look: "Look",
    theme: "Theme",
    themes: {
      magazine: { label: "Magazine", hint: "Posts first, with large pictures." },
      gallery: { label: "Gallery", hint: "Photos first, from edge to edge." },
      plain: { label: "Plain", hint: "A quiet list of what you write." },
    },
    preview: (theme: string) => `Preview: ${theme}`,
    previewHint: "Your front page in each theme.",
    accent: "Accent colour",
    accentHint:
      "Used for links and buttons. Where text would be hard to read, a darker shade is used, or a lighter one in dark mode.",
    accentOfTheme: "The theme’s own colour is used.",
    removeAccent: "Use the theme’s colour",
    logo: { label: "Logo", choose: "Choose a logo", remove: "Remove the logo" },
    logoHint:
      "In the header of each page. A wide one replaces the name of the site. Choose one that is visible on light and dark backgrounds.",
    cover: { label: "Cover", choose: "Choose a cover", remove: "Remove the cover" },
    coverHint:
      "At the top of the front page, behind the name of the site. Social networks show it with links to the site.",
    privateSitePhoto: "This photo is private, so the site does not show it. Make it public, or choose another one.",
    customCSS: "Custom CSS",
    customCSSHint: "Added to all pages of the site. It cannot load anything from other sites.",
    rules: "Visitors and visibility",
    signupRole: "Who may sign up?",
    signupRoles: {
      closed: { label: "No one", hint: "Only people whom you invite." },
      reader: { label: "Readers", hint: "Anyone can create an account and write comments." },
      author: { label: "Authors", hint: "Anyone can create an account, write posts and upload files." },
    },
    passwordRule: "Which passwords are accepted?",
    passwordRules: {
      strong: { label: "Strong passwords", hint: "At least 8 characters, and not easy to guess." },
      any: { label: "All passwords", hint: "People who choose a weak one are warned. Admins still need a strong one." },
    },
    defaultVisibility: "Who can see new photos, files and albums?",
    visibilities: {
      public: { label: "Everyone", hint: "They are public right away, unless you choose otherwise." },
      private: { label: "Only their owner and admins", hint: "They are private until you make them public." },
    },
    originalVisibility: "The originals of photos",
    originals: {
      same: {
        label: "Follow the photo",
        hint: "When you make a photo public or private, its file becomes public or private as well.",
      },
      private: {
        label: "Stay private",
        hint: "Visitors see public photos in all sizes, but only you and admins can download the original files. This applies to new photos, and to a photo whenever you choose who can see it. Originals that are public now stay public until then.",
      },
    },
    factorRoles: "Who needs a second factor?",
    factorRole: { reader: "Readers", author: "Authors", admin: "Admins" },
    factorHint:
      "People who do not have one yet can then only set one up or sign out. Their app keys do not work until they do.",
    factorMissing: "First set one up for yourself, under Account.",
    switches: {
      approveFirstComments: {
        label: "Approve first comments",
        hint: "The comments of an account are held until one of them has been approved.",
      },
      photoComments: {
        label: "Comments on photos and albums",
        hint: "Visitors with an account can comment on photos and albums, as on posts.",
      },
      hearts: {
        label: "Hearts",
        hint: "Everyone can give a heart to posts, photos and albums. Guests are counted by a cookie, which is set when they press the heart.",
      },
    },
  },
  de: {
    reset: "Änderungen verwerfen",
    saved: "Gespeichert.",
    undone: "Die Einstellungen sind wie zuvor.",
    fixed: (variable: string) => `Durch die Umgebungsvariable ${variable} des Servers festgelegt.`,
    site: "Seite",
    siteName: "Name der Seite",
    tagline: "Untertitel",
    taglineHint: "Ein Satz unter dem Namen. Er kann leer sein.",
    language: "Sprache",
    languageHint: "Die Sprache der meisten Ihrer Texte. Besucher sehen die Seiten in ihrer Sprache.",
    icon: { label: "Symbol", choose: "Foto wählen", remove: "Entfernen" },
    iconHint:
      "Browser zeigen es in Tabs und auf Startbildschirmen. Das Foto muss öffentlich sein; die Mitte davon wird verwendet.",
    look: "Aussehen",
    theme: "Design",
    themes: {
      magazine: { label: "Magazin", hint: "Beiträge zuerst, mit großen Bildern." },
      gallery: { label: "Galerie", hint: "Fotos zuerst, von Rand zu Rand." },
      plain: { label: "Schlicht", hint: "Eine ruhige Liste dessen, was Sie schreiben." },
    },
    preview: (theme: string) => `Vorschau: ${theme}`,
    previewHint: "Ihre Startseite in jedem Design.",
    accent: "Akzentfarbe",
    accentHint:
      "Links und Schaltflächen haben sie. Wo Text schwer lesbar wäre, wird sie dunkler gezeigt, im Dunkelmodus heller.",
    accentOfTheme: "Es gilt die Farbe des Designs.",
    removeAccent: "Farbe des Designs verwenden",
    logo: { label: "Logo", choose: "Logo wählen", remove: "Logo entfernen" },
    logoHint:
      "Im Kopf jeder Seite. Ein breites ersetzt den Namen der Seite. Wählen Sie eines, das auf Hell und Dunkel zu sehen ist.",
    cover: { label: "Titelbild", choose: "Titelbild wählen", remove: "Titelbild entfernen" },
    coverHint:
      "Oben auf der Startseite, hinter dem Namen der Seite. Soziale Netzwerke zeigen es bei Links auf die Seite.",
    privateSitePhoto:
      "Dieses Foto ist privat, daher zeigt die Seite es nicht. Machen Sie es öffentlich, oder wählen Sie ein anderes.",
    customCSS: "Eigenes CSS",
    customCSSHint: "Gilt auf allen Seiten. Es kann nichts von anderen Seiten laden.",
    rules: "Besucher und Sichtbarkeit",
    signupRole: "Wer darf sich registrieren?",
    signupRoles: {
      closed: { label: "Niemand", hint: "Nur wen Sie einladen." },
      reader: { label: "Leser", hint: "Jeder kann ein Konto anlegen und Kommentare schreiben." },
      author: { label: "Autoren", hint: "Jeder kann ein Konto anlegen, Beiträge schreiben und Dateien hochladen." },
    },
    passwordRule: "Welche Passwörter sind erlaubt?",
    passwordRules: {
      strong: { label: "Starke", hint: "Mindestens 8 Zeichen und nicht leicht zu erraten." },
      any: {
        label: "Alle",
        hint: "Wer ein schwaches wählt, wird gewarnt. Administratoren brauchen trotzdem ein starkes.",
      },
    },
    defaultVisibility: "Wer sieht neue Fotos, Dateien und Alben?",
    visibilities: {
      public: { label: "Alle", hint: "Sie sind sofort öffentlich, wenn Sie nichts anderes wählen." },
      private: { label: "Nur Besitzer und Administratoren", hint: "Sie sind privat, bis Sie sie öffentlich machen." },
    },
    originalVisibility: "Die Originale von Fotos",
    originals: {
      same: {
        label: "Wie das Foto",
        hint: "Wenn Sie ein Foto öffentlich oder privat machen, wird auch seine Datei öffentlich oder privat.",
      },
      private: {
        label: "Bleiben privat",
        hint: "Besucher sehen öffentliche Fotos in allen Größen, aber nur Sie und Administratoren können die Originaldateien herunterladen. Das gilt für neue Fotos und für ein Foto, sobald Sie wählen, wer es sehen kann. Originale, die jetzt öffentlich sind, bleiben es bis dahin.",
      },
    },
    factorRoles: "Wer braucht einen zweiten Faktor?",
    factorRole: { reader: "Leser", author: "Autoren", admin: "Administratoren" },
    factorHint:
      "Wer noch keinen hat, kann danach nur einen einrichten oder sich abmelden. Auch die App-Schlüssel dieser Konten gelten bis dahin nicht.",
    factorMissing: "Richten Sie zuerst unter Konto einen für sich selbst ein.",
    switches: {
      approveFirstComments: {
        label: "Erste Kommentare freigeben",
        hint: "Die Kommentare eines Kontos warten, bis einer davon freigegeben wurde.",
      },
      photoComments: {
        label: "Kommentare zu Fotos und Alben",
        hint: "Besucher mit einem Konto können unter Fotos und Alben schreiben, wie unter Beiträgen.",
      },
      hearts: {
        label: "Herzen",
        hint: "Alle können Beiträgen, Fotos und Alben ein Herz geben. Gäste werden mit einem Cookie gezählt, das erst beim Klick gesetzt wird.",
      },
    },
  },
});
