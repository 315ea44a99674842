import { translate } from "../../lib/language.ts";

export const cropTexts = translate({
  en: {
    title: "Rotate and crop",
    turnLeft: "Rotate left",
    turnRight: "Rotate right",
    flip: "Mirror",
    shape: "Shape",
    free: "Free",
    original: "Original",
    reset: "Reset",
    saved: "The picture was changed. The original file is kept.",
    area: "Crop area",
    keys: "Arrow keys move the area, with Shift they change its size.",
    isLeft: (width: string, height: string) => `${width} × ${height} pixels`,
    hides: "Visitors see only this part, and the file becomes private.",
  },
  de: {
    title: "Drehen und zuschneiden",
    turnLeft: "Nach links drehen",
    turnRight: "Nach rechts drehen",
    flip: "Spiegeln",
    shape: "Format",
    free: "Frei",
    original: "Original",
    reset: "Zurücksetzen",
    saved: "Das Bild wurde geändert. Die Originaldatei bleibt erhalten.",
    area: "Ausschnitt",
    keys: "Die Pfeiltasten verschieben den Ausschnitt, mit Umschalt ändern sie seine Größe.",
    isLeft: (width: string, height: string) => `${width} × ${height} Pixel`,
    hides: "Besucher sehen nur den Ausschnitt, und die Datei wird privat.",
  },
});
