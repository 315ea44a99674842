import { z } from "zod";
import { text } from "../../platform/http/validate.ts";

const password = text(256).meta({ format: "password", example: "correct horse battery" });

const code = text(64).meta({
  description: "The six digits that the authenticator app shows, or a recovery code.",
  example: "123456",
});

export const secondStepSchema = z
  .object({
    ticket: text(100).meta({ description: "What the first step has answered with.", example: "q0…" }),
    code,
  })
  .meta({ id: "SecondStep" });

export const passwordSchema = z.object({ password }).meta({ id: "PasswordAgain" });
export const codeSchema = z.object({ code }).meta({ id: "FactorCode" });
export const passwordAndCodeSchema = z.object({ password, code }).meta({ id: "PasswordAndCode" });
export const renewalSchema = z
  .object({ password, code: code.optional().meta({ description: "Needed if you use an authenticator app." }) })
  .meta({ id: "RecoveryCodeRenewal" });

export const factorsSchema = z
  .object({
    totpSince: z.iso.datetime().nullable().meta({
      description: "Since when codes of an authenticator app are asked for; null if they are not.",
      example: null,
    }),
    recoveryCodesLeft: z.int().meta({ example: 10 }),
    isRequired: z.boolean().meta({ description: "Whether your role needs a second factor here.", example: false }),
  })
  .meta({ id: "Factors", description: "Your second factors." });

export const newTOTPSchema = z
  .object({
    secret: z.string().meta({
      description: "What the app needs, in base 32. Shown only now.",
      example: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    }),
    uri: z.string().meta({
      description: "The same as a link, which the app reads from a QR code.",
      example: "otpauth://totp/Vitrine:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Vitrine",
    }),
  })
  .meta({ id: "NewTOTP" });

const codes = z.array(z.string().meta({ example: "k7qa-2mzd-x4pe-u6wh" }));

export const confirmedSchema = z
  .object({
    recoveryCodes: codes.nullable().meta({
      description: "Made with the first second factor, and shown only now. Null if you have some already.",
    }),
  })
  .meta({ id: "ConfirmedFactor" });

export const recoveryCodesSchema = z
  .object({ recoveryCodes: codes.meta({ description: "Shown only now. Each works once." }) })
  .meta({ id: "RecoveryCodes" });
