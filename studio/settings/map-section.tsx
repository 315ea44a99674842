import type { Settings } from "../../client/src/index.ts";
import { translate } from "../lib/language.ts";
import { TextField } from "../ui/field.tsx";
import { Section } from "./section.tsx";
import { useSection } from "./settings.ts";

const t = translate({
  en: {
    map: "Map",
    intro:
      "The map shows the outlines of countries, and loads nothing from other servers. If you want streets, enter the address of a tile server here.",
    privacy:
      "Your visitors’ browsers then load pictures from that server. It learns their IP addresses, the address of your site, and which part of the map they look at: say so in your privacy notice, and ask the server’s operator whether you may use it. The studio uses it once the page is reloaded.",
    url: "Address of the tiles",
    urlHint: "With {z}, {x} and {y}. Leave it empty for outlines.",
    urlWrong: "This must be an https address with {z}, {x} and {y}, such as https://tiles.example/{z}/{x}/{y}.png.",
    attribution: "Source",
    attributionHint: "Shown on the map, in the words that the server’s operator asks for.",
    attributionWrong: "Enter the source of the map, in at most 300 characters.",
  },
  de: {
    map: "Karte",
    intro:
      "Die Karte zeigt die Umrisse der Länder, und nichts wird von anderen Servern geladen. Wenn Sie Straßen zeigen möchten, nennen Sie hier einen Server mit Kartenkacheln.",
    privacy:
      "Die Browser Ihrer Besucher laden dann Bilder von diesem Server. Er erfährt ihre IP-Adressen, die Adresse Ihrer Website und welchen Ausschnitt der Karte sie ansehen: Weisen Sie in Ihrer Datenschutzerklärung darauf hin, und fragen Sie den Betreiber, ob Sie den Server benutzen dürfen. Im Studio gilt das, sobald die Seite neu geladen wird.",
    url: "Adresse der Kacheln",
    urlHint: "Mit {z}, {x} und {y}. Leer: Umrisse.",
    urlWrong: "Das muss eine https-Adresse mit {z}, {x} und {y} sein, etwa https://tiles.example/{z}/{x}/{y}.png.",
    attribution: "Quelle",
    attributionHint: "Wen die Karte nennt, so wie der Betreiber des Servers es verlangt.",
    attributionWrong: "Nennen Sie die Quelle der Karte, mit höchstens 300 Zeichen.",
  },
});

/** Where the map of the site comes from. */
export function MapSection({ saved }: { saved: Settings }) {
  const state = useSection("map", saved);
  const { values, set, propsOf, errorAt } = state;
  const { url, attribution } = values.mapTiles ?? { url: "", attribution: "" };
  const change = (tiles: { url: string; attribution: string }) =>
    set({ mapTiles: tiles.url.trim() === "" && tiles.attribution.trim() === "" ? null : tiles });
  const { disabled } = propsOf("mapTiles");
  return (
    <Section title={t.map} state={state}>
      <div className="grid gap-2 text-soft">
        <p>{t.intro}</p>
        <p>{t.privacy}</p>
      </div>
      <TextField
        label={t.url}
        type="url"
        dir="ltr"
        maxLength={500}
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
        disabled={disabled}
        hint={t.urlHint}
        value={url}
        error={errorAt("mapTiles.url") && t.urlWrong}
        onChange={({ target }) => change({ attribution, url: target.value })}
      />
      <TextField
        label={t.attribution}
        dir="auto"
        maxLength={300}
        disabled={disabled}
        hint={t.attributionHint}
        placeholder="©"
        value={attribution}
        error={errorAt("mapTiles.attribution") && t.attributionWrong}
        onChange={({ target }) => change({ url, attribution: target.value })}
      />
    </Section>
  );
}
