import { type Answer, type Client, client } from "./client.ts";

export const weak = { alice: "password123", bob: "pw" };
export const warnings = {
  common:
    "This password is easy to guess: it is like those that very many people use. Change it to a few random words.",
  short: "This password is easy to guess: it has fewer than 8 characters. Change it to a few random words.",
};

type At = { url: string };

export const signUp = (server: At, username: string, own: string, more = {}): Promise<Answer> =>
  client(server).post("/signup", { username, password: own, ...more });

export async function signInWith(server: At, username: string, own: string): Promise<Client> {
  const { body } = await client(server).post("/signin", { username, password: own });
  return client(server, body.token, body.user.id);
}

export const statusOfSignIn = async (server: At, username: string, own: string): Promise<number> =>
  (await client(server).post("/signin", { username, password: own })).status;

/** Sends a form of the site, as a browser does that reads English. */
export async function submitForm(server: At, path: string, fields: Record<string, string>) {
  const response = await fetch(server.url + path, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Accept: "text/html", "Accept-Language": "en", "Sec-Fetch-Site": "same-origin" },
    redirect: "manual",
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A page of the site in English. */
export async function readPage(server: At, path: string): Promise<string> {
  return (await fetch(new URL(path, server.url), { headers: { "Accept-Language": "en" } })).text();
}
