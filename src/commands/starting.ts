import type { Server } from "bun";
import { chooseLanguage } from "../platform/http/language.ts";

type Handler = (request: Request, server: Server<unknown>) => Response | Promise<Response>;

const retryAfter = "5";

/**
 * What is answered on the port before the server is ready. A start takes a moment: requests wait for it. An upgrade of the
 * database can take minutes: meanwhile they get a page that says so. Health checks are answered at once.
 */
export function createStart() {
  const ready = Promise.withResolvers<Handler>();
  let handler: Handler | null = null;
  let isUpgrading = false;

  return {
    fetch(request: Request, server: Server<unknown>): Response | Promise<Response> {
      if (handler) return handler(request, server);
      const { pathname } = new URL(request.url, "http://localhost");
      if (pathname === "/livez") return Response.json({ message: "alive" });
      if (isUpgrading) return describeUpgrade(request);
      if (pathname === "/readyz") return refuse("The server is starting.");
      return ready.promise.then((serve) => serve(request, server));
    },
    setUpgrading(is: boolean): void {
      isUpgrading = is;
    },
    finish(serve: Handler): void {
      handler = serve;
      ready.resolve(serve);
    },
  };
}

const headers = { "Retry-After": retryAfter, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const refuse = (error: string) => Response.json({ error, code: "busy" }, { status: 503, headers });

function describeUpgrade({ headers: sent }: Request): Response {
  if (!sent.get("accept")?.includes("text/html")) return refuse(texts.en.text);
  const language = chooseLanguage(sent.get("accept-language"), Object.keys(texts)) === "de" ? "de" : "en";
  const { title, text } = texts[language];
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${retryAfter}">
<title>${title}</title>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
</body>
</html>
`;
  const policy = { "Content-Security-Policy": "default-src 'none'", Vary: "Accept, Accept-Language" };
  return new Response(page, {
    status: 503,
    headers: { ...headers, ...policy, "Content-Type": "text/html; charset=utf-8", "Content-Language": language },
  });
}

const texts = {
  en: { title: "One moment", text: "This site is being upgraded and will be back shortly." },
  de: { title: "Einen Moment", text: "Diese Website wird gerade aktualisiert und ist gleich wieder da." },
};
