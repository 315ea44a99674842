import { createHmac, timingSafeEqual } from "node:crypto";

export type Claims = { sub: string; jti: string; iat: number; exp: number };

export type Tokens = {
  sign(claims: Claims): string;
  /** The claims of a token that we signed and that has not expired, else null. */
  verify(token: string): Claims | null;
};

const header = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");

/** JSON Web Tokens with HS256 and nothing else: the header is compared, never believed. */
export function createTokens(secret: string): Tokens {
  const seal = (text: string) => createHmac("sha256", secret).update(text).digest();

  return {
    sign(claims) {
      const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      return `${text}.${seal(text).toString("base64url")}`;
    },

    verify(token) {
      const [head, body, signature, ...more] = token.split(".");
      if (head !== header || !body || !signature || more.length > 0) return null;
      const given = Buffer.from(signature, "base64url");
      const right = seal(`${head}.${body}`);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Claims;
      return claims.exp > Date.now() / 1000 ? claims : null;
    },
  };
}
