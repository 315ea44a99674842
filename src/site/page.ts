/** The frame of every page: one style sheet, no script of another origin. */
export function page(title: string, body: string, script = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${Bun.escapeHTML(title)}</title>
<link rel="stylesheet" href="/assets/site.css">
${script && `<script type="module" src="${script}"></script>`}
</head>
<body>
${body}
</body>
</html>`;
}
