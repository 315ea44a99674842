import type { Settings } from "../../client/src/index.ts";
import { translate } from "../lib/language.ts";
import { CheckField, TextField } from "../ui/field.tsx";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";

const t = translate({
  en: {
    openWeb: "Other sites",
    webmentions: "Mentions from and to other sites (Webmention)",
    webmentionsHint:
      "Pages on other sites that link to your posts appear among the comments once you have approved them. Sites that your public posts link to are notified, if the server knows its own address (BASE_URL). The server reads those pages, so their sites learn its address.",
    hub: "WebSub hub",
    hubHint:
      "Your feeds name it, and the server notifies it when they change, so that feed readers update immediately. Leave it empty for none.",
    hubWrong: "This must be an address that begins with https:// or http://.",
  },
  de: {
    openWeb: "Andere Websites",
    webmentions: "Erwähnungen durch und von anderen Websites (Webmention)",
    webmentionsHint:
      "Seiten anderswo, die auf Ihre Beiträge verweisen, erscheinen unter den Kommentaren, sobald Sie sie freigegeben haben. Websites, auf die Ihre öffentlichen Beiträge verweisen, erfahren davon, wenn der Server seine eigene Adresse kennt (BASE_URL). Der Server liest diese Seiten, daher erfahren deren Websites seine Adresse.",
    hub: "WebSub-Hub",
    hubHint:
      "Die Feeds nennen ihn, und der Server meldet ihm Änderungen, damit Feedreader sofort davon wissen. Leer: keiner.",
    hubWrong: "Das muss eine Adresse sein, die mit https:// oder http:// beginnt.",
  },
});

/** What the server sends to other sites, and what it accepts from them. */
export function OpenWebSection({ saved }: { saved: Settings }) {
  const state = useSection("openWeb", saved);
  const { values, set, propsOf, errorAt } = state;
  return (
    <Section title={t.openWeb} state={state}>
      <CheckField
        label={t.webmentions}
        {...propsOf("webmentions", t.webmentionsHint)}
        checked={values.webmentions}
        onChange={({ target }) => set({ webmentions: target.checked })}
      />
      <TextField
        label={t.hub}
        type="url"
        dir="ltr"
        maxLength={500}
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        {...propsOf("webSubHub", t.hubHint)}
        value={values.webSubHub ?? ""}
        error={errorAt("webSubHub") && t.hubWrong}
        onChange={({ target }) => set({ webSubHub: target.value.trim() === "" ? null : target.value })}
      />
    </Section>
  );
}
