import { z } from "zod";

export const heartSchema = z
  .object({
    hearts: z.int().meta({ description: "How many were given; 0 while hearts are switched off.", example: 12 }),
    hasHeart: z.boolean().meta({ description: "Whether one of them is yours.", example: true }),
    isOpen: z.boolean().meta({ description: "Whether this site has hearts.", example: true }),
  })
  .meta({ id: "Heart" });

export type Heart = z.output<typeof heartSchema>;

/** Guests give no more to one thing: anyone can pretend to be many. */
export const maxHearts = 100_000;
