/** Headers of a guest whose requests are not served from memory. */
export const uncached = { Authorization: "none" };

export type Answer<Body = any> = { status: number; body: Body; headers: Headers };

export type Client = {
  token: string | null;
  userID: number;
  url(path: string): string;
  get<Body = any>(path: string, headers?: Record<string, string>): Promise<Answer<Body>>;
  post<Body = any>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  put<Body = any>(path: string, body?: unknown): Promise<Answer<Body>>;
  delete<Body = any>(path: string): Promise<Answer<Body>>;
  request<Body = any>(method: string, path: string, init?: RequestInit): Promise<Answer<Body>>;
  /** Uploads a file; the fields are sent before it. Returns the file object. */
  upload(name: string, content: Bun.BlobPart, fields?: Record<string, string>): Promise<Answer>;
};

/** Sends JSON to the server, as a guest or with a token. `more` are headers of every request. */
export function client(
  server: { url: string },
  token: string | null = null,
  userID = 0,
  more: Record<string, string> = {},
): Client {
  async function request(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    if (token) headers.set("Authorization", `Bearer ${token}`);
    const response = await fetch(server.url + path, { ...init, method, headers });
    // An event stream has no end.
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const text = isStream ? "" : await response.text();
    if (isStream) await response.body?.cancel();
    const isJSON = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, body: isJSON && text ? JSON.parse(text) : text };
  }
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      body === undefined
        ? request(method, path, { headers })
        : request(method, path, {
            body: typeof body === "string" ? body : JSON.stringify(body),
            headers: { "Content-Type": "application/json", ...headers },
          });
  return {
    token,
    userID,
    url: (path) => server.url + path,
    request,
    get: (path, headers) => request("GET", path, headers ? { headers } : {}),
    post: send("POST"),
    put: send("PUT"),
    delete: (path) => request("DELETE", path),
    upload(name, content, fields = {}) {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.set(key, value);
      form.set("file", new File([content], name));
      return request("POST", "/api/v1/files", { body: form });
    },
  };
}

/** The format of times in every record: ISO 8601, UTC, milliseconds. */
export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** All records that are public, and the given `paths`: to prove that a refused request has changed nothing. */
export async function everything(server: { url: string }, ...paths: string[]): Promise<Record<string, unknown>> {
  const guest = client(server);
  const lists = ["photos", "blog", "albums"].map((name) => `/api/v1/${name}?pageSize=1000`);
  const seen = [...lists, "/api/v1/files", ...paths].map(async (path) => [path, (await guest.get(path)).body]);
  return Object.fromEntries(await Promise.all(seen)) as Record<string, unknown>;
}

export type Part = { name: string; value: string; filename?: string };

/** A form written by hand, so that its parts are in exactly this order. A part with a filename is a file. */
export function form(...parts: Part[]): { body: string; headers: Record<string, string> } {
  const boundary = "---------------------------vitrine";
  const written = parts.map(({ name, value, filename }) => {
    const file = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return {
    body: `${written.join("")}--${boundary}--\r\n`,
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
  };
}
