import type { Translated } from "../../language.ts";
import type { SceneName } from "./scenes.ts";

export const sampleDirectory: Translated<string> = { en: "Samples", de: "Beispiele" };

type Titles = Record<SceneName, { title: string; altText: string; tags: string[] }>;

const en: Titles = {
  dawn: { title: "First light", altText: "Hills in the mist below a rising sun", tags: ["mountains", "morning"] },
  lake: { title: "Still water", altText: "Green hills mirrored in a lake", tags: ["water"] },
  dunes: { title: "Dunes", altText: "Three dunes below a pale sky", tags: ["desert"] },
  night: { title: "Moonrise", altText: "A moon and stars above dark hills", tags: ["mountains", "night"] },
  tide: { title: "Low sun", altText: "The sun on the horizon of a calm sea", tags: ["water", "evening"] },
  forest: { title: "Fog in the firs", altText: "Rows of firs that fade into fog", tags: ["forest"] },
  island: { title: "The island", altText: "A long green island in a blue sea", tags: ["water"] },
  ember: { title: "Ember", altText: "A large sun behind red hills", tags: ["mountains", "evening"] },
  frost: { title: "Frost", altText: "Pale blue mountains in the snow", tags: ["mountains", "winter"] },
  valley: { title: "The valley", altText: "Green hills, one behind the other", tags: ["mountains"] },
  dusk: { title: "Dusk", altText: "Violet hills after sunset", tags: ["mountains", "evening"] },
  morning: { title: "Quiet morning", altText: "A pale sun above a lake", tags: ["water", "morning"] },
};

const de: Titles = {
  dawn: { title: "Erstes Licht", altText: "Hügel im Dunst unter der aufgehenden Sonne", tags: ["Berge", "Morgen"] },
  lake: { title: "Stilles Wasser", altText: "Grüne Hügel, die sich in einem See spiegeln", tags: ["Wasser"] },
  dunes: { title: "Dünen", altText: "Drei Dünen unter einem blassen Himmel", tags: ["Wüste"] },
  night: { title: "Mondaufgang", altText: "Mond und Sterne über dunklen Hügeln", tags: ["Berge", "Nacht"] },
  tide: { title: "Tiefe Sonne", altText: "Die Sonne am Horizont eines ruhigen Meeres", tags: ["Wasser", "Abend"] },
  forest: { title: "Nebel in den Tannen", altText: "Reihen von Tannen, die im Nebel verschwinden", tags: ["Wald"] },
  island: { title: "Die Insel", altText: "Eine lange grüne Insel in einem blauen Meer", tags: ["Wasser"] },
  ember: { title: "Glut", altText: "Eine große Sonne hinter roten Hügeln", tags: ["Berge", "Abend"] },
  frost: { title: "Frost", altText: "Blassblaue Berge im Schnee", tags: ["Berge", "Winter"] },
  valley: { title: "Das Tal", altText: "Grüne Hügel, einer hinter dem anderen", tags: ["Berge"] },
  dusk: { title: "Dämmerung", altText: "Violette Hügel nach Sonnenuntergang", tags: ["Berge", "Abend"] },
  morning: { title: "Ruhiger Morgen", altText: "Eine blasse Sonne über einem See", tags: ["Wasser", "Morgen"] },
};

export const sampleTitles: Translated<Titles> = { en, de };

type Album = { name: string; description: string; photos: SceneName[] };

/** The first photo is the cover. */
const [heights, waters]: [SceneName[], SceneName[]] = [
  ["dawn", "frost", "valley", "dusk", "ember", "night"],
  ["tide", "lake", "island", "morning"],
];

export const sampleAlbums: Translated<Album[]> = {
  en: [
    { name: "High places", description: "Mountains from morning to night.", photos: heights },
    { name: "Along the water", description: "Lakes, islands and the sea.", photos: waters },
  ],
  de: [
    { name: "In der Höhe", description: "Berge vom Morgen bis in die Nacht.", photos: heights },
    { name: "Am Wasser", description: "Seen, Inseln und das Meer.", photos: waters },
  ],
};
