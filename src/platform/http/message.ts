import { z } from "zod";

/** The response of an operation that has nothing else to return. */
export const messageSchema = z.object({ message: z.string() }).meta({ id: "Message", example: { message: "Done." } });
