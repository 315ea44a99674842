import { z } from "zod";
import { isSameSecret, keyedHash } from "../secrets.ts";

/** Times are in seconds. JSON can contain infinite numbers such as `1e999`; `z.number()` rejects them. */
const claimsSchema = z.object({
  sub: z.string(),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
  nbf: z.number().optional(),
});

type Claims = z.output<typeof claimsSchema>;

export type Tokens = {
  sign(claims: Claims): string;
  /** The claims of a token with our signature that is valid now, otherwise null. */
  verify(token: string): Claims | null;
};

/** The clocks of several copies may differ by this. */
const leewaySeconds = 60;

const header = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");

/** JSON Web Tokens with HS256 only: the header must match exactly and is never interpreted. */
export function createTokens(secret: string): Tokens {
  const seal = (text: string) => keyedHash(secret, text);

  return {
    sign(claims) {
      const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
      return `${text}.${seal(text)}`;
    },

    verify(token) {
      const [head, body, signature, ...more] = token.split(".");
      if (head !== header || !body || !signature || more.length > 0) return null;
      if (!isSameSecret(signature, seal(`${head}.${body}`))) return null;
      const claims = readClaims(body);
      const now = Date.now() / 1000;
      const isValid = claims && claims.exp > now && (claims.nbf ?? 0) <= now && claims.iat <= now + leewaySeconds;
      return isValid ? claims : null;
    },
  };
}

/** The signature proves who wrote the claims, not that they are well-formed: other programs may use the same secret. */
function readClaims(body: string): Claims | null {
  try {
    return claimsSchema.safeParse(JSON.parse(Buffer.from(body, "base64url").toString())).data ?? null;
  } catch {
    return null;
  }
}
