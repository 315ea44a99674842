/** What a person can choose to be told by mail. */
export const topics = ["comments", "uploads", "digest"] as const;
export type Topic = (typeof topics)[number];
