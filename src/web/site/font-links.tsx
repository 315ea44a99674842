/** @jsxImportSource hono/jsx */
import { assetURL } from "./assets.ts";

type FontName = "serif" | "sans";

/**
 * Fonts that the browser loads at once, not only when it has read the styles and the page. They are those for the letters of
 * the interface. It loads the others where a page has such letters.
 */
export const FontLinks = ({ names }: { names: FontName[] }) => (
  <>
    {names.map((name) => (
      <link rel="preload" href={assetURL(`${name}-latin.woff2`)} as="font" type="font/woff2" crossorigin="" />
    ))}
  </>
);
