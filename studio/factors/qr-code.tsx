import { encodeQR } from "./qr.ts";

const margin = 4;

/** Dark on white in every theme, because many cameras read nothing else. Nothing if the text is too long. */
export function QRCode({ text, label }: { text: string; label: string }) {
  const modules = encodeQR(text);
  if (!modules) return null;
  const size = modules.length + 2 * margin;
  const path = modules.flatMap((line, row) =>
    line.flatMap((isDark, column) => (isDark ? `M${column + margin} ${row + margin}h1v1h-1z` : [])),
  );
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="w-56 max-w-full rounded-control">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
