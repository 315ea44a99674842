import type { Queries } from "../../platform/database/database.ts";

/** The email notifications that a person can choose. */
export const topics = ["comments", "uploads", "digest"] as const;
export type Topic = (typeof topics)[number];

export type TopicChosen = (tx: Queries, userID: number, topic: Topic) => Promise<void>;
