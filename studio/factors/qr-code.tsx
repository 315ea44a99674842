import { encode } from "uqr";

const margin = 4;
/** A code of a later version has squares that are too small for many cameras. */
const maxVersion = 10;

/** Dark on white in every theme, because many cameras read nothing else. Nothing if the text is too long. */
export function QRCode({ text, label }: { text: string; label: string }) {
  const modules = encodeText(text);
  if (!modules) return null;
  const size = modules.length;
  const path = modules.flatMap((line, row) =>
    line.flatMap((isDark, column) => (isDark ? `M${column} ${row}h1v1h-1z` : [])),
  );
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="w-56 max-w-full rounded-control">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

/** The squares with a margin around them, row by row; true is dark. Null if the text is too long. */
function encodeText(text: string): boolean[][] | null {
  try {
    return encode(text, { ecc: "M", border: margin, maxVersion }).data;
  } catch {
    return null;
  }
}
